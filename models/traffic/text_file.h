// SPDX-License-Identifier: Apache-2.0
//
// Text files about end nodes: fields with blanks between them, one record a line, `#` to the end of
// the line is a comment. Errors are one line, "file:line: what is wrong; expected ...".
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanecut {

class TrafficFileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// End nodes by name, or by place among the end nodes.
class NodeNames {
 public:
  explicit NodeNames(std::vector<std::string> names);
  int size() const { return static_cast<int>(names_.size()); }
  // -1: there is none. A name goes before a number.
  int Find(std::string_view text) const;
  std::string Expected() const;

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, int> index_;
};

class TextFile {
 public:
  // Throws if the file cannot be read.
  explicit TextFile(const std::filesystem::path& file);

  // Goes to the next record, which must have `count` fields; false at the end of the file.
  bool Next(std::string_view fields, std::size_t count);

  // Of the present record.
  int line() const { return line_; }
  std::string_view field(std::size_t index) const { return fields_[index]; }
  int Node(std::size_t index, const NodeNames& nodes) const;
  std::uint64_t Number(std::size_t index, std::string_view what) const;
  TrafficFileError Error(const std::string& what, const std::string& expected) const;

 private:
  std::string name_;
  std::ifstream stream_;
  int line_ = 0;
  std::string text_;
  std::vector<std::string_view> fields_;
};

}  // namespace lanecut
