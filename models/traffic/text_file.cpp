// SPDX-License-Identifier: Apache-2.0
#include "models/traffic/text_file.h"

#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

namespace lanecut {
namespace {

constexpr std::string_view kBlanks = " \t\r\v\f";

std::optional<std::uint64_t> ParseNumber(std::string_view text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

}  // namespace

NodeNames::NodeNames(std::vector<std::string> names) : names_(std::move(names)) {
  for (std::size_t i = 0; i < names_.size(); ++i) index_.emplace(names_[i], static_cast<int>(i));
}

int NodeNames::Find(std::string_view text) const {
  const auto found = index_.find(std::string(text));
  if (found != index_.end()) return found->second;
  const auto number = ParseNumber(text);
  return number && *number < names_.size() ? static_cast<int>(*number) : -1;
}

std::string NodeNames::Expected() const {
  return "an end node by name, like " + names_.front() + ", or number, 0 to " +
         std::to_string(size() - 1);
}

TextFile::TextFile(const std::filesystem::path& file) : name_(file.string()), stream_(file) {
  if (!std::filesystem::is_regular_file(file) || !stream_) {
    throw TrafficFileError(name_ + ": cannot be read; expected a text file");
  }
}

bool TextFile::Next(std::string_view fields, std::size_t count) {
  while (std::getline(stream_, text_)) {
    ++line_;
    std::string_view rest = text_;
    rest = rest.substr(0, rest.find('#'));
    fields_.clear();
    for (;;) {
      const std::size_t begin = rest.find_first_not_of(kBlanks);
      if (begin == std::string_view::npos) break;
      rest.remove_prefix(begin);
      fields_.push_back(rest.substr(0, rest.find_first_of(kBlanks)));
      rest.remove_prefix(fields_.back().size());
    }
    if (fields_.empty()) continue;
    if (fields_.size() != count) {
      throw Error(std::to_string(fields_.size()) + (fields_.size() == 1 ? " field" : " fields"),
                  std::to_string(count) + ": " + std::string(fields));
    }
    return true;
  }
  return false;
}

int TextFile::Node(std::size_t index, const NodeNames& nodes) const {
  const int node = nodes.Find(field(index));
  if (node < 0) {
    throw Error("there is no end node \"" + std::string(field(index)) + "\"", nodes.Expected());
  }
  return node;
}

std::uint64_t TextFile::Number(std::size_t index, std::string_view what) const {
  const auto number = ParseNumber(field(index));
  if (!number) {
    throw Error(std::string(what) + " is \"" + std::string(field(index)) + "\"", "a whole number");
  }
  return *number;
}

TrafficFileError TextFile::Error(const std::string& what, const std::string& expected) const {
  return TrafficFileError(name_ + ":" + std::to_string(line_) + ": " + what + "; expected " +
                          expected);
}

}  // namespace lanecut
