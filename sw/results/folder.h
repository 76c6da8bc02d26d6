// SPDX-License-Identifier: Apache-2.0
//
// A folder that appears under its name only when it is complete. Private to sw/results.
#pragma once

#include <filesystem>
#include <string_view>

namespace lanecut {

class ResultsFolder {
 public:
  // Makes "<folder>.partial-<pid>". Throws ResultsError if `folder` exists and may not be replaced:
  // it may if it is empty, or holds a results.sqlite of this program and nothing but files of the
  // kinds that runs write.
  explicit ResultsFolder(const std::filesystem::path& folder);
  // Removes the partial folder unless Publish() has been called.
  ~ResultsFolder();
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  const std::filesystem::path& partial() const { return partial_; }
  void WriteFile(std::string_view name, std::string_view contents) const;
  // Gives the partial folder its name, in the place of earlier results.
  void Publish();

 private:
  std::filesystem::path folder_;
  std::filesystem::path partial_;
  bool published_ = false;
};

}  // namespace lanecut
