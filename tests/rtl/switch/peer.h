// SPDX-License-Identifier: Apache-2.0
//
// The other end of one link of a switch under test: sends what the test queues when it has credit,
// takes what comes, answers with flow-control packets. Written apart from the end-node model, so
// that the two cannot share a mistake.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "sw/wire/link_packet.h"
#include "sw/wire/packet.h"
#include "sw/wire/word.h"

namespace lanecut::test {

struct Received {
  Cycle head = 0;                    // cycle in which the first word stood on the pins
  std::vector<std::uint32_t> words;  // all wire words, VCRC last
  bool good = false;                 // good end and right VCRC
  int vl() const { return static_cast<int>(words.at(0) >> 28); }
};

// A link packet of OSR.
struct Token {
  Cycle cycle = 0;  // of its first word
  int vl = 0;
  int number = 0;
  std::size_t packets_before = 0;  // data packets received before it
};

class Peer {
 public:
  static constexpr int kBlocks = 16;
  static constexpr std::uint8_t kOpToken = 8;
  static constexpr std::uint8_t kOpTokenAck = 9;

  // Queues the wire words of a packet; `checked` packets wait for credit.
  void Send(std::vector<Word> wire, bool checked = true) {
    queue_.push_back({std::move(wire), checked});
  }
  // A token behind what has been queued so far.
  void SendToken(int vl, int number) {
    const auto words = EncodeLinkPacket(
        {kOpToken, static_cast<std::uint16_t>(number), static_cast<std::uint8_t>(vl), 0});
    queue_.push_back({{words.begin(), words.end()}, false});
  }
  // Accept no more data on this VL: credits stop.
  void Block(int vl, bool blocked) { blocked_[vl] = blocked; }
  // The next flow-control packets to be lost on the way to the switch.
  void LoseCredits(int count) { lose_ = count; }

  // One cycle: `in` stands on the switch's output pins, the result on its input pins.
  Word Step(Cycle now, Word in) {
    Receive(now, in);
    if (sending_.empty()) Choose();
    if (sending_.empty()) return {};
    const Word word = sending_.front();
    sending_.pop_front();
    return word;
  }

  // Repeats the flow-control packets, as the refresh timer does.
  void Refresh() { told_.clear(); }

  // The link went down and came up: both sides start from zero credits.
  void Relink() {
    sending_.clear();
    fccl.clear();
    fctbs.clear();
    abr_.clear();
    told_.clear();
  }

  std::vector<Received> packets;
  std::vector<Token> tokens;
  std::vector<Token> acks;
  bool acknowledges = true;
  int link_packets = 0;
  int last_op = -1;
  std::map<int, std::uint16_t> fccl;  // limit per VL, from the switch
  std::map<int, std::uint16_t> fctbs;

 private:
  struct Queued {
    std::vector<Word> wire;
    bool checked;
  };

  void Choose() {
    for (int vl = 0; vl < 2; ++vl) {
      const std::uint16_t limit = (abr_[vl] + (blocked_[vl] ? 0 : kBlocks)) & kCreditMask;
      if (told_.contains(vl) && (blocked_[vl] || told_[vl] == limit)) continue;
      told_[vl] = limit;
      if (lose_ > 0) {
        --lose_;
        continue;
      }
      const auto words =
          EncodeLinkPacket({kOpFlowControl, fctbs[vl], static_cast<std::uint8_t>(vl), limit});
      sending_.assign(words.begin(), words.end());
      return;
    }
    if (queue_.empty()) return;
    const Queued& next = queue_.front();
    if (next.wire[0].ctrl == Ctrl::kStartLink) {
      sending_.assign(next.wire.begin(), next.wire.end());
      queue_.pop_front();
      return;
    }
    const int vl = static_cast<int>(next.wire[0].data >> 28);
    const int blocks = BlocksOfWords(static_cast<int>(((next.wire[1].data >> 16) & 0x7FF) + 1));
    if (next.checked && vl != kVl15) {
      if (!fccl.contains(vl) || !HasCredit(fccl[vl], fctbs[vl], blocks)) return;
      fctbs[vl] = (fctbs[vl] + blocks) & kCreditMask;
    }
    sending_.assign(next.wire.begin(), next.wire.end());
    queue_.pop_front();
  }

  void Receive(Cycle now, Word in) {
    if (in.ctrl == Ctrl::kIdle) return;
    if (in.ctrl == Ctrl::kStartData || in.ctrl == Ctrl::kStartLink) {
      open_ = {};
      open_.head = now;
      is_link_ = in.ctrl == Ctrl::kStartLink;
    }
    open_.words.push_back(in.data);
    if (in.ctrl != Ctrl::kGoodEnd && in.ctrl != Ctrl::kBadEnd) return;
    if (is_link_) {
      ReceiveLink();
      return;
    }
    open_.good = in.ctrl == Ctrl::kGoodEnd && VcrcOk(open_.words);
    const int vl = open_.vl();
    if (vl != kVl15) {
      const int blocks = BlocksOfWords(static_cast<int>(((open_.words.at(1) >> 16) & 0x7FF) + 1));
      abr_[vl] = (abr_[vl] + blocks) & kCreditMask;
    }
    packets.push_back(open_);
  }

  void ReceiveLink() {
    const auto packet = DecodeLinkPacket(open_.words.at(0), open_.words.at(1));
    if (!packet) return;
    const Token token{open_.head, packet->vl, packet->fctbs, packets.size()};
    if (packet->op == kOpTokenAck) acks.push_back(token);
    if (packet->op == kOpToken) {
      tokens.push_back(token);
      if (acknowledges) {
        const auto words = EncodeLinkPacket({kOpTokenAck, packet->fctbs, packet->vl, 0});
        queue_.push_front({{words.begin(), words.end()}, false});
      }
    }
    if (packet->op == kOpTokenAck || packet->op == kOpToken) return;
    ++link_packets;
    last_op = packet->op;
    fccl[packet->vl] = packet->fccl;
    if (abr_[packet->vl] != packet->fctbs) {
      abr_[packet->vl] = packet->fctbs;
    }
  }

  std::deque<Queued> queue_;
  std::deque<Word> sending_;
  int lose_ = 0;
  Received open_;
  bool is_link_ = false;
  std::map<int, bool> blocked_;
  std::map<int, std::uint16_t> abr_;
  std::map<int, std::uint16_t> told_;
};

}  // namespace lanecut::test
