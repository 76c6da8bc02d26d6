// SPDX-License-Identifier: Apache-2.0
#include "models/reference/table_mirror.h"

#include <algorithm>

#include "sw/wire/function_number.h"
#include "sw/wire/packet.h"

namespace lanecut::reference {

namespace {

constexpr std::uint16_t kSlToVlTable = 0x0017;
constexpr std::uint16_t kSwitchInfo = 0x0012;
constexpr std::uint16_t kPortInfo = 0x0015;
constexpr std::uint16_t kLinearForwardingTable = 0x0019;
constexpr std::uint16_t kBank = 0xFF02;
constexpr std::uint16_t kInactiveLft = 0xFF03;
constexpr std::uint16_t kInactiveSlToVl = 0xFF04;
constexpr std::uint16_t kScheme = 0xFF07;
constexpr std::uint16_t kFunction = 0xFF08;
constexpr std::uint16_t kFeederRows = 0xFF09;
constexpr std::uint16_t kVlDrain = 0xFF0B;
// Optimized SLtoVL programming: bits of the attribute modifier.
constexpr std::uint32_t kAllInputPorts = 1U << 17;
constexpr std::uint32_t kAllOutputPorts = 1U << 16;

constexpr int kLftBlock = 64;
constexpr int kNoPort = 255;
constexpr Cycle kPhySettles = 4;  // cycles that a port takes from Down to Initialize

std::uint8_t ByteAt(MadSpan mad, int offset) {
  return static_cast<std::uint8_t>(mad[kSmpData + offset / 4] >> (24 - 8 * (offset % 4)));
}

}  // namespace

TableMirror::TableMirror(int ports, int vls, int lft_depth)
    : ports_(ports),
      vls_(vls),
      lft_depth_(lft_depth),
      channels_(ports * vls),
      row_words_((channels_ + 31) / 32),
      rows_per_mad_(kRowWords / row_words_),
      row_blocks_((channels_ + rows_per_mad_ - 1) / rows_per_mad_),
      lft_(static_cast<std::size_t>(2 * lft_depth), kNoPort),
      sl_to_vl_(static_cast<std::size_t>(2 * (ports + 1) * (ports + 1) * 16), 0),
      rows_(static_cast<std::size_t>(lft_depth == 0 ? 0 : 2 * row_blocks_ * kRowWords)),
      port_(static_cast<std::size_t>(ports + 1)) {}

TableMirror::Window TableMirror::NewWindow(int in_port, std::uint64_t tid, Cycle t) {
  DropOld(t);
  Window window{};
  window.in_port = static_cast<std::uint8_t>(in_port);
  window.tid = tid;
  window.open = t;
  window.bank = static_cast<std::uint8_t>(bank_);
  window.old_epoch = epoch_;
  window.old_ready = ready_;
  window.old_started = started_;
  window.old_drain = told_drain_;
  window.old_switch = told_switch_;
  window.old_scheme = scheme_;
  window.old_hold = hold_;
  return window;
}

bool TableMirror::MustDeny(std::uint64_t m_key, Cycle t) {
  DropOld(t);
  const auto denies = [m_key](std::uint64_t set) { return set != 0 && set != m_key; };
  return denies(m_key_) && std::ranges::all_of(windows_, [&](const Window& w) {
           return w.kind != Kind::kMKey || denies(w.old_m_key);
         });
}

void TableMirror::Request(int in_port, MadSpan mad, Cycle t) {
  if (MustDeny(MKeyOf(mad), t)) return;
  Window window = NewWindow(in_port, std::uint64_t{mad[2]} << 32 | mad[3], t);
  switch (mad[4] >> 16) {
    case kInactiveLft:
      window.bank ^= 1;
      [[fallthrough]];
    case kLinearForwardingTable:
      WriteLft(window, mad);
      break;
    case kInactiveSlToVl:
      window.bank ^= 1;
      [[fallthrough]];
    case kSlToVlTable:
      WriteSlToVl(window, mad);
      break;
    case kBank:
      WriteBank(window, mad);
      break;
    case kScheme:
      WriteScheme(window, mad);
      break;
    case kFunction:
      WriteFunction(window, mad);
      break;
    case kVlDrain:
      WriteDrain(window, mad);
      break;
    case kFeederRows:
      WriteRows(window, mad);
      break;
    case kPortInfo:
      WritePortInfo(window, mad);
      break;
    case kSwitchInfo:
      WriteSwitchInfo(window, mad);
      break;
    default:
      break;
  }
}

void TableMirror::WriteBank(Window window, MadSpan mad) {
  if (lft_depth_ == 0 || mad[kSmpData] >> 31 == 0) return;
  window.kind = Kind::kBank;
  window.new_epoch = static_cast<std::uint8_t>(mad[kSmpData] & 0x1F);
  windows_.push_back(window);
  bank_ ^= 1;
  epoch_ = window.new_epoch;
  ready_ = started_ = told_drain_ = told_switch_ = false;
  told_clear_ = true;
}

void TableMirror::WriteScheme(Window window, MadSpan mad) {
  window.kind = Kind::kScheme;
  windows_.push_back(window);
  scheme_ = static_cast<Scheme>(mad[kSmpData] & 3);
  hold_ = mad[kSmpData] >> 8 & 0xFFFFF;
  told_drain_ = told_switch_ = false;
  told_clear_ = true;
  if (scheme_ == Scheme::kDouble) ready_ = false;
}

void TableMirror::WriteDrain(Window window, MadSpan mad) {
  const std::uint32_t word = mad[kSmpData];
  if (lft_depth_ == 0 || FunctionNumber(word) != NextNumber(epoch_)) return;
  window.kind = Kind::kDrain;
  windows_.push_back(window);
  told_clear_ = false;
  told_drain_ = told_drain_ || (word >> 31 & 1) != 0;
  told_switch_ = told_switch_ || (word >> 30 & 1) != 0;
  ready_ = ready_ || (word >> 29 & 1) != 0;
}

void TableMirror::FollowVls(bool draining, bool restricted, const Ports& open) {
  draining_ = draining;
  restricted_ = restricted;
  open_ = open;
}

void TableMirror::SwitchOver() {
  bank_ ^= 1;
  epoch_ = NextNumber(epoch_);
  ready_ = told_drain_ = told_switch_ = false;
  std::erase_if(windows_, [](const Window& w) { return w.kind == Kind::kDrain; });
}

void TableMirror::WriteFunction(Window window, MadSpan mad) {
  const std::uint32_t word = mad[kSmpData];
  if (lft_depth_ == 0 || FunctionNumber(word) != NextNumber(epoch_)) return;
  window.kind = Kind::kFunction;
  windows_.push_back(window);
  ready_ = ready_ || (word >> 31 & 1) != 0;
  started_ = started_ || (word >> 30 & 1) != 0;
}

void TableMirror::WriteRows(Window window, MadSpan mad) {
  window.kind = Kind::kRows;
  window.base = mad[5] & 0xFFFF;
  if (mad[5] >> 31 != 0) window.bank ^= 1;
  if (lft_depth_ == 0 || static_cast<int>(window.base) >= row_blocks_) return;
  std::uint32_t* words = &rows_[RowIndex(window.bank, static_cast<int>(window.base))];
  for (int i = 0; i < kRowWords; ++i) {
    for (int byte = 0; byte < 4; ++byte) {
      window.old[static_cast<std::size_t>(4 * i + byte)] =
          static_cast<std::uint8_t>(words[i] >> (8 * byte));
    }
    words[i] = mad[static_cast<std::size_t>(kSmpData + i)];
  }
  windows_.push_back(window);
}

void TableMirror::WriteLft(Window window, MadSpan mad) {
  window.kind = Kind::kLft;
  window.base = mad[5] * kLftBlock;
  if (mad[5] >= 0x10000 / kLftBlock || static_cast<int>(window.base) >= lft_depth_) return;
  for (int i = 0; i < kLftBlock && static_cast<int>(window.base) + i < lft_depth_; ++i) {
    std::uint8_t& entry = lft_[LftIndex(window.bank, static_cast<int>(window.base) + i)];
    window.old[i] = entry;
    entry = ByteAt(mad, i);
  }
  windows_.push_back(window);
}

void TableMirror::WriteSlToVl(Window window, MadSpan mad) {
  const int in = static_cast<int>((mad[5] >> 8) & 0xFF);
  const int out = static_cast<int>(mad[5] & 0xFF);
  const bool all_in = (mad[5] & kAllInputPorts) != 0;
  const bool all_out = (mad[5] & kAllOutputPorts) != 0;
  if (lft_depth_ == 0 || in > ports_ || out > ports_) return;
  for (int i = 0; i <= ports_; ++i) {
    for (int o = 0; o <= ports_; ++o) {
      if ((all_in || i == in) && (all_out || o == out)) WritePair(window, i, o, mad);
    }
  }
}

void TableMirror::WritePair(Window window, int in, int out, MadSpan mad) {
  window.kind = Kind::kSlToVl;
  window.base = static_cast<std::uint32_t>(SlIndex(window.bank, in, out, 0));
  for (int sl = 0; sl < 16; ++sl) {
    std::uint8_t& entry = sl_to_vl_[window.base + static_cast<std::size_t>(sl)];
    window.old[sl] = entry;
    entry = static_cast<std::uint8_t>(ByteAt(mad, sl / 2) >> (sl % 2 == 0 ? 4 : 0) & 0xF);
  }
  windows_.push_back(window);
}

void TableMirror::WritePortInfo(Window window, MadSpan mad) {
  // Modifier 0 is the port that the request came in by at an end node, and port 0 at a switch.
  int port = static_cast<int>(mad[5]);
  const bool end_node = lft_depth_ == 0;
  if (end_node && port == 0) port = 1;
  told_ = true;
  if (end_node || port == 0) {
    Window lid = window;
    lid.kind = Kind::kLid;
    lid.old_lid = lid_;
    lid.old_lmc = lmc_;
    windows_.push_back(lid);
    lid_ = static_cast<std::uint16_t>(ByteAt(mad, 16) << 8 | ByteAt(mad, 17));
    lmc_ = end_node ? ByteAt(mad, 34) & 7 : 0;
    WriteMKey(window, mad);
  }
  if (port < 1 || port > ports_) return;
  Port& p = port_[static_cast<std::size_t>(port)];
  Window life = window;
  life.kind = Kind::kHoqLife;
  life.base = static_cast<std::uint32_t>(port);
  life.old[0] = p.hoq_life;
  p.hoq_life = ByteAt(mad, 42) & 0x1F;
  if (p.hoq_life != life.old[0]) windows_.push_back(life);
  PortState next = p.state;
  switch (ByteAt(mad, 32) & 0xF) {
    case kDown:
      next = kInit;  // the physical layer brings it up again at once
      break;
    case kArmed:
      if (p.state == kInit) next = kArmed;
      break;
    case kActive:
      if (p.state == kArmed) next = kActive;
      break;
    default:
      break;
  }
  if (p.state == kDown || next == p.state) return;
  window.kind = Kind::kPort;
  window.base = static_cast<std::uint32_t>(port);
  window.old[0] = p.state;
  windows_.push_back(window);
  if (p.state == kActive) p.left = {window.open, kNever};
  p.state = next;
}

void TableMirror::WriteMKey(Window window, MadSpan mad) {
  const std::uint64_t key = std::uint64_t{mad[kSmpData]} << 32 | mad[kSmpData + 1];
  if (key == m_key_) return;
  window.kind = Kind::kMKey;
  window.old_m_key = m_key_;
  windows_.push_back(window);
  m_key_ = key;
}

void TableMirror::WriteSwitchInfo(Window window, MadSpan mad) {
  const auto value = static_cast<std::uint8_t>(ByteAt(mad, 11) >> 3);
  if (lft_depth_ == 0 || value == life_time_) return;
  window.kind = Kind::kLifeTime;
  window.old[0] = life_time_;
  windows_.push_back(window);
  old_lives_.push_back({life_time_, kNever});
  life_time_ = value;
}

void TableMirror::Revert(const Window& window) {
  switch (window.kind) {
    case Kind::kLft:
      for (int i = 0; i < kLftBlock && static_cast<int>(window.base) + i < lft_depth_; ++i) {
        lft_[LftIndex(window.bank, static_cast<int>(window.base) + i)] = window.old[i];
      }
      break;
    case Kind::kSlToVl:
      for (std::size_t sl = 0; sl < 16; ++sl) sl_to_vl_[window.base + sl] = window.old[sl];
      break;
    case Kind::kBank:
      bank_ = window.bank;
      epoch_ = window.old_epoch;
      [[fallthrough]];
    case Kind::kFunction:
    case Kind::kDrain:
      ready_ = window.old_ready;
      started_ = window.old_started;
      told_drain_ = window.old_drain;
      told_switch_ = window.old_switch;
      break;
    case Kind::kScheme:
      scheme_ = window.old_scheme;
      hold_ = window.old_hold;
      break;
    case Kind::kRows:
      for (std::size_t i = 0; i < window.old.size(); ++i) {
        std::uint32_t& word = rows_[RowIndex(window.bank, static_cast<int>(window.base)) + i / 4];
        word = (word & ~(0xFFU << (8 * (i % 4)))) | std::uint32_t{window.old[i]} << (8 * (i % 4));
      }
      break;
    case Kind::kPort:
      port_[window.base].state = static_cast<PortState>(window.old[0]);
      break;
    case Kind::kLid:
      lid_ = window.old_lid;
      lmc_ = window.old_lmc;
      break;
    case Kind::kMKey:
      m_key_ = window.old_m_key;
      break;
    case Kind::kHoqLife:
      port_[window.base].hoq_life = window.old[0];
      break;
    case Kind::kLifeTime:
      life_time_ = window.old[0];
      break;
  }
}

void TableMirror::Answer(std::uint64_t tid, std::uint32_t status, Cycle t) {
  const auto same = [tid](const Window& w) { return w.tid == tid && w.close == kNever; };
  const auto first = std::find_if(windows_.begin(), windows_.end(), same);
  if (first == windows_.end()) return;
  const std::uint8_t in_port = first->in_port;
  const Cycle opened = first->open;
  for (Window& w : windows_) {
    const bool mine = same(w) && w.open == opened;
    if (w.close != kNever || (!mine && (w.in_port != in_port || w.open >= opened))) continue;
    w.close = t;
    if (w.kind == Kind::kHoqLife) port_[w.base].hoq_since = t;
    if (w.kind == Kind::kLifeTime) {
      life_since_ = t;
      for (OldLife& old : old_lives_) old.until = std::min(old.until, t);
    }
    if (w.kind == Kind::kPort && w.old[0] == kActive) port_[w.base].left.last = t;
    if (mine && status != 0) Revert(w);
  }
}

bool TableMirror::MayBeUnder(Scheme scheme, Cycle t) {
  if (scheme_ == scheme) return true;
  DropOld(t);
  return std::any_of(windows_.begin(), windows_.end(), [scheme](const Window& w) {
    return w.kind == Kind::kScheme && w.old_scheme == scheme;
  });
}

bool TableMirror::IsUnder(Scheme scheme, Cycle t) {
  if (scheme_ != scheme) return false;
  DropOld(t);
  return std::none_of(windows_.begin(), windows_.end(), [scheme](const Window& w) {
    return w.kind == Kind::kScheme && w.old_scheme != scheme;
  });
}

bool TableMirror::Committed(std::uint8_t epoch, Cycle t) {
  const auto asked = std::find_if(windows_.begin(), windows_.end(), [epoch](const Window& w) {
    return w.kind == Kind::kBank && w.close == kNever && w.new_epoch == epoch;
  });
  if (asked == windows_.end()) return false;
  asked->close = t;
  return true;
}

void TableMirror::Flip() {
  bank_ ^= 1;
  epoch_ = NextNumber(epoch_);
  ready_ = started_ = false;
  std::erase_if(windows_, [](const Window& w) { return w.kind == Kind::kFunction; });
}

// `any`: with one of the values that the row may have, else with all of them.
bool TableMirror::Feeds(int bank, int in, int out, bool any, Cycle t) {
  DropOld(t);
  const int block = out / rows_per_mad_;
  const int word = out % rows_per_mad_ * row_words_ + in / 32;
  const std::uint32_t bit = std::uint32_t{1} << (in % 32);
  const auto at = static_cast<std::size_t>(word);
  bool feeds = (rows_[RowIndex(bank, block) + at] & bit) != 0;
  for (const Window& w : windows_) {
    if (w.kind != Kind::kRows || w.bank != bank || static_cast<int>(w.base) != block) continue;
    const bool before =
        (w.old[4 * at + static_cast<std::size_t>(in % 32 / 8)] >> (in % 8) & 1) != 0;
    feeds = any ? feeds || before : feeds && before;
  }
  return feeds;
}

void TableMirror::DropOld(Cycle t) {
  std::erase_if(windows_, [t](const Window& w) { return w.close != kNever && w.close + 2 < t; });
}

void TableMirror::PhyDown(int port, Cycle t) {
  // Whatever was being set there has lost its meaning.
  std::erase_if(windows_, [port](const Window& w) {
    return w.kind == Kind::kPort && static_cast<int>(w.base) == port;
  });
  Port& p = port_[static_cast<std::size_t>(port)];
  if (p.state == kActive) p.left = {t, t};
  if (p.left.last == kNever) p.left.last = t;
  p.state = kDown;
  p.changed = t;
}

void TableMirror::PhyUp(int port, Cycle t) {
  Port& p = port_[static_cast<std::size_t>(port)];
  p.state = kInit;
  p.changed = t;
}

TableMirror::HoqLives TableMirror::HoqLife(int port, Cycle t) {
  DropOld(t);
  const Port& p = port_[static_cast<std::size_t>(port)];
  HoqLives lives{p.hoq_life, p.hoq_life, p.hoq_since};
  for (const Window& w : windows_) {
    if (w.kind != Kind::kHoqLife || static_cast<int>(w.base) != port) continue;
    lives.least = std::min<int>(lives.least, w.old[0]);
    lives.most = std::max<int>(lives.most, w.old[0]);
  }
  return lives;
}

TableMirror::LifeTimes TableMirror::LifeTime(Cycle t) {
  LifeTimes lives{life_time_, life_since_};
  for (const OldLife& old : old_lives_) {
    if (old.until >= t) lives.most = std::max<int>(lives.most, old.value);
  }
  return lives;
}

std::optional<Cycle> TableMirror::TooOld(Cycle t, Cycle unit) const {
  std::optional<Cycle> last;
  const auto consider = [&](const OldLife& life) {
    if (life.value > kLastLife || t <= unit << life.value) return;
    last = std::max(last.value_or(0), std::min(life.until, t - (unit << life.value) - 1));
  };
  consider({life_time_, kNever});
  for (const OldLife& old : old_lives_) consider(old);
  return last;
}

TableMirror::Hold TableMirror::HoldCycles(Cycle t) {
  DropOld(t);
  Hold hold{hold_, hold_};
  for (const Window& w : windows_) {
    if (w.kind != Kind::kScheme) continue;
    hold.least = std::min<Cycle>(hold.least, w.old_hold);
    hold.most = std::max<Cycle>(hold.most, w.old_hold);
  }
  return hold;
}

std::uint8_t TableMirror::PortStates(int port, Cycle t) {
  if (lft_depth_ == 0 && !told_) return kAnyState;
  const Port& p = port_[static_cast<std::size_t>(port)];
  std::uint8_t states = StateBit(p.state);
  if (p.state != kDown && t < p.changed + kPhySettles) states |= StateBit(kDown);
  if (windows_.empty()) return states;
  DropOld(t);
  for (const Window& w : windows_) {
    if (w.kind != Kind::kPort || static_cast<int>(w.base) != port) continue;
    states |= StateBit(static_cast<PortState>(w.old[0]));
    if (p.state == kInit) states |= StateBit(kDown);
  }
  return states;
}

bool TableMirror::MayHaveLid(std::uint16_t lid, Cycle t) {
  DropOld(t);
  const auto is_of = [lid](std::uint16_t lowest, std::uint8_t lmc) {
    return lid >> lmc == lowest >> lmc;
  };
  if (is_of(lid_, lmc_) || (lft_depth_ == 0 && !told_)) return true;
  return std::any_of(windows_.begin(), windows_.end(), [&](const Window& w) {
    return w.kind == Kind::kLid && is_of(w.old_lid, w.old_lmc);
  });
}

std::uint8_t TableMirror::LftEntry(std::uint16_t lid) const {
  return lid < lft_depth_ ? lft_[LftIndex(bank_, lid)] : kNoPort;
}

template <class F>
void TableMirror::ForLft(int bank, int lid, F f) const {
  f(lft_[LftIndex(bank, lid)]);
  for (const Window& w : windows_) {
    const int offset = lid - static_cast<int>(w.base);
    if (w.kind == Kind::kLft && w.bank == bank && offset >= 0 && offset < kLftBlock) {
      f(w.old[offset]);
    }
  }
}

template <class F>
void TableMirror::ForSlToVl(int bank, int in, int out, int sl, F f) const {
  const std::size_t index = SlIndex(bank, in, out, sl);
  f(sl_to_vl_[index]);
  for (const Window& w : windows_) {
    if (w.kind == Kind::kSlToVl && index >= w.base && index < w.base + 16) {
      f(w.old[index - w.base]);
    }
  }
}

void TableMirror::AddRoutes(int bank, const Lookup& packet, Prediction* prediction) const {
  if (packet.lid >= lft_depth_) {
    prediction->Add({0, 0, DropReason::kUnreachable});
    return;
  }
  ForLft(bank, packet.lid, [&](int out) {
    const auto port = static_cast<std::uint8_t>(out);
    if (out > ports_) {
      prediction->Add({0, 0, DropReason::kUnreachable});
    } else if (out == 0) {
      prediction->Add({0, 0, DropReason::kNone});
    } else if (packet.vl15) {
      prediction->Add({port, static_cast<std::uint8_t>(vls_), DropReason::kNone, packet.number});
    } else {
      ForSlToVl(bank, packet.in_port, out, packet.sl, [&](int vl) {
        const auto lane = static_cast<std::uint8_t>(vl);
        if (vl == 15) {
          prediction->Add({0, 0, DropReason::kVlDiscard});
        } else if (vl >= vls_) {
          prediction->Add({0, 0, DropReason::kBadVl});
        } else {
          prediction->Add({port, lane, DropReason::kNone, packet.number});
        }
      });
    }
  });
}

// Under OSR, with this bank active under this number.
void TableMirror::AddByNumber(int bank, std::uint8_t epoch, const Lookup& packet,
                              Prediction* prediction) const {
  const std::uint8_t number = FunctionNumber(packet.number);
  const std::uint8_t active = FunctionNumber(epoch);
  if (number == active) {
    AddRoutes(bank, packet, prediction);
  } else if (number == NextNumber(active) && ready_) {
    AddRoutes(bank ^ 1, packet, prediction);
  } else if (IsNewer(active, number)) {
    prediction->Add({0, 0, DropReason::kStale});
  }
}

// Under Double Scheme.
void TableMirror::AddByDrain(int bank, std::uint8_t epoch, const Lookup& packet,
                             Prediction* prediction) const {
  const std::uint8_t active = FunctionNumber(epoch);
  const bool is_next = FunctionNumber(packet.number) == NextNumber(active);
  if (is_next && !ready_) return;
  Lookup numbered = packet;
  numbered.number = is_next ? NextNumber(active) : active;
  Prediction by_table;
  AddRoutes(is_next ? bank ^ 1 : bank, numbered, &by_table);
  for (int i = 0; i < by_table.count; ++i) {
    Route route = by_table.routes[static_cast<std::size_t>(i)];
    if (route.drop == DropReason::kNone && route.port != 0) {
      route.lane = static_cast<std::uint8_t>(VlFor(route, is_next));
    }
    prediction->Add(route);
  }
}

int TableMirror::VlFor(const Route& route, bool is_next) const {
  if (draining_) return is_next ? 1 : 0;
  if (restricted_ && !open_[static_cast<std::size_t>(route.port - 1)]) return 1;
  return route.lane;
}

Prediction TableMirror::Predict(int in_port, std::uint16_t dlid, int sl, std::uint8_t number,
                                bool vl15, Cycle t) {
  Prediction prediction;
  DropOld(t);
  const Lookup packet{in_port, dlid, sl, number, vl15};
  const auto add = [&](int bank, std::uint8_t epoch) {
    const auto under = [&](Scheme scheme) {
      if (scheme == Scheme::kOsr && !vl15) return AddByNumber(bank, epoch, packet, &prediction);
      if (scheme == Scheme::kDouble && !vl15) return AddByDrain(bank, epoch, packet, &prediction);
      Lookup numbered = packet;
      if (scheme == Scheme::kEbr && !vl15) numbered.number = FunctionNumber(epoch);
      AddRoutes(bank, numbered, &prediction);
    };
    under(scheme_);
    for (const Window& w : windows_) {
      if (w.kind == Kind::kScheme && w.old_scheme != scheme_) under(w.old_scheme);
    }
  };
  add(bank_, epoch_);
  for (const Window& w : windows_) {
    if (w.kind == Kind::kBank) add(w.bank, w.old_epoch);
  }
  return prediction;
}

}  // namespace lanecut::reference
