// SPDX-License-Identifier: Apache-2.0
//
// The end nodes of a fabric as programs outside reach them: each has a transport that sends by its
// port, and what arrives there unasked or as an answer goes to a server.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sw/umad_server/server.h"
#include "tb/fabric/fabric.h"

namespace lanecut {

class ServedEndNodes : public umad::EndNodes {
 public:
  // The fabric is kept.
  explicit ServedEndNodes(Fabric* fabric);
  // What takes a MAD that has arrived, or does not.
  using Filter = std::function<bool(int end_node, const Mad& mad)>;
  // From now on MADs go there, but for those that the filter takes.
  void SetServer(umad::Server* server, const Filter& filter);

  // `name` as in the topology.
  std::optional<int> Find(std::string_view name) const override;
  std::string Name(int end_node) const override;
  MadTransport& Transport(int end_node) override;
  Mad Ask(int end_node, ib::MadAttribute attribute) const override;
  void SetManager(int end_node, bool is_manager) override;

 private:
  // While the port is Down everything is taken, and lost: there is no room to wait for.
  class Port : public MadTransport {
   public:
    explicit Port(HcaModule* hca) : hca_(hca) {}
    bool Send(const Mad& mad, std::uint16_t dlid) override {
      return hca_->SendMad(mad.bytes, dlid) || hca_->hca().port_state() == ib::PortState::kDown;
    }
    bool SendCompact(const CompactPacket& compact) override { return hca_->SendCompact(compact); }

   private:
    HcaModule* hca_;
  };

  Fabric* fabric_;
  std::vector<Port> ports_;
};

}  // namespace lanecut
