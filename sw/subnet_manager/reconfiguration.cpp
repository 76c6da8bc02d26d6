// SPDX-License-Identifier: Apache-2.0
#include "sw/subnet_manager/reconfiguration.h"

#include "sw/subnet_manager/apm_rftr_ebr_reconfiguration.h"
#include "sw/subnet_manager/double_reconfiguration.h"
#include "sw/subnet_manager/epoch_reconfiguration.h"
#include "sw/subnet_manager/path_reconfiguration.h"
#include "sw/subnet_manager/static_reconfiguration.h"
#include "sw/subnet_manager/token_reconfiguration.h"

namespace lanecut {

std::unique_ptr<Reconfiguration> MakeReconfiguration(const ReconfigurationTools& tools) {
  switch (tools.config.scheme) {
    case ReconfigurationScheme::kStatic:
      return std::make_unique<StaticReconfiguration>(tools);
    case ReconfigurationScheme::kOsrPda:
    case ReconfigurationScheme::kOsrLa:
      return std::make_unique<TokenReconfiguration>(tools);
    case ReconfigurationScheme::kEbr:
    case ReconfigurationScheme::kEbrd:
      return std::make_unique<EpochReconfiguration>(tools);
    case ReconfigurationScheme::kApm:
    case ReconfigurationScheme::kRftr:
      return std::make_unique<PathReconfiguration>(tools);
    case ReconfigurationScheme::kApmRftrEbr:
      return std::make_unique<ApmRftrEbrReconfiguration>(tools);
    case ReconfigurationScheme::kDouble:
      return std::make_unique<DoubleReconfiguration>(tools);
  }
  return nullptr;
}

}  // namespace lanecut
