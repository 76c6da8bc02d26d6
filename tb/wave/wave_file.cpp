// SPDX-License-Identifier: Apache-2.0
//
// Readable signals are declared and written in the way that a verilated class does it with its own.
// Apart from the rest, because verilated headers behave differently where SystemC is included.
#include "tb/wave/wave_file.h"

#include <fmt/format.h>
#include <verilated_fst_c.h>

#include <fstream>
#include <string>
#include <utility>

#include "sw/results/recorder.h"

namespace lanecut {
namespace {

constexpr int kFirstTable = 1'000'000;  // verilated classes number theirs from 1

std::uint32_t WordsOf(int bits) { return bits > 32 ? 2 : 1; }

}  // namespace

class WaveFile::Writer {
 public:
  Writer(const std::filesystem::path& path, const std::vector<TracedSwitch*>& switches,
         std::vector<ReadableSignal> readable)
      : readable_(std::move(readable)) {
    if (!std::ofstream(path)) {
      throw ResultsError(fmt::format("{}: cannot be written; expected a name in a folder that can",
                                     path.string()));
    }
    for (TracedSwitch* each : switches) each->AddTo(&file_);
    file_.spTrace()->addInitCb(
        [](void* self, VerilatedFst* file, std::uint32_t code) {
          static_cast<Writer*>(self)->Declare(file, code);
        },
        this);
    file_.spTrace()->addFullCb(Full, this);
    file_.spTrace()->addChgCb(Changes, this);
    file_.set_time_unit("1ns");
    file_.set_time_resolution("1ns");
    file_.open(path.c_str());
  }

  void Dump(std::uint64_t ns) { file_.dump(ns); }
  void Close() { file_.close(); }

 private:
  using Buffer = VerilatedFst::Buffer;

  void Declare(VerilatedFst* file, std::uint32_t code) {
    first_code_ = code;
    for (const ReadableSignal& signal : readable_) {
      std::string scopes;
      for (const std::string& scope : signal.scope) scopes += scope + ' ';
      file->pushNamePrefix(scopes);
      const int table = signal.names == nullptr ? -1 : Table(file, signal);
      if (signal.bits == 1) {
        file->declBit(code, signal.name.c_str(), table, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, false,
                      -1);
      } else if (signal.bits <= 32) {
        file->declBus(code, signal.name.c_str(), table, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, false, -1,
                      signal.bits - 1, 0);
      } else {
        file->declQuad(code, signal.name.c_str(), table, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, false,
                       -1, signal.bits - 1, 0);
      }
      file->popNamePrefix();
      code += WordsOf(signal.bits);
    }
  }

  // The number of the table of its names, which is declared with the first signal that has it.
  int Table(VerilatedFst* file, const ReadableSignal& signal) {
    const auto [at, is_new] =
        tables_.try_emplace(signal.names, kFirstTable + static_cast<int>(tables_.size()));
    if (is_new) DeclareTable(file, at->second, signal);
    return at->second;
  }

  static void DeclareTable(VerilatedFst* file, int number, const ReadableSignal& signal) {
    std::vector<std::string> values;
    std::vector<const char*> names;
    values.reserve(signal.names->size());
    names.reserve(signal.names->size());
    for (const auto& [value, name] : *signal.names) {
      values.push_back(fmt::format("{:0{}b}", value, signal.bits));
      names.push_back(name.c_str());
    }
    std::vector<const char*> value_texts;
    value_texts.reserve(values.size());
    for (const std::string& value : values) value_texts.push_back(value.c_str());
    file->declDTypeEnum(number, fmt::format("readable{}", number).c_str(),
                        static_cast<std::uint32_t>(names.size()),
                        static_cast<unsigned>(signal.bits), names.data(), value_texts.data());
  }

  static void Full(void* self, Buffer* buffer) {
    static_cast<Writer*>(self)->Write([buffer](std::uint32_t code, std::uint64_t value, int bits) {
      std::uint32_t* old = buffer->oldp(code);
      if (bits == 1) {
        buffer->fullBit(old, static_cast<std::uint8_t>(value));
      } else if (bits <= 32) {
        buffer->fullIData(old, static_cast<std::uint32_t>(value), bits);
      } else {
        buffer->fullQData(old, value, bits);
      }
    });
  }

  static void Changes(void* self, Buffer* buffer) {
    static_cast<Writer*>(self)->Write([buffer](std::uint32_t code, std::uint64_t value, int bits) {
      std::uint32_t* old = buffer->oldp(code);
      if (bits == 1) {
        buffer->chgBit(old, static_cast<std::uint8_t>(value));
      } else if (bits <= 32) {
        buffer->chgIData(old, static_cast<std::uint32_t>(value), bits);
      } else {
        buffer->chgQData(old, value, bits);
      }
    });
  }

  template <class Put>
  void Write(Put put) const {
    std::uint32_t code = first_code_;
    for (const ReadableSignal& signal : readable_) {
      put(code, signal.value(), signal.bits);
      code += WordsOf(signal.bits);
    }
  }

  std::vector<ReadableSignal> readable_;
  std::map<const ValueNames*, int> tables_;
  std::uint32_t first_code_ = 0;
  VerilatedFstC file_;
};

WaveFile::WaveFile(const std::filesystem::path& path, const std::vector<TracedSwitch*>& switches,
                   std::vector<ReadableSignal> readable)
    : writer_(std::make_unique<Writer>(path, switches, std::move(readable))) {}

WaveFile::~WaveFile() = default;

void WaveFile::Dump(std::uint64_t ns) { writer_->Dump(ns); }
void WaveFile::Close() { writer_->Close(); }

}  // namespace lanecut
