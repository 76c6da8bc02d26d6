// SPDX-License-Identifier: Apache-2.0
//
// A piece of work in a process of its own, and its results back. SystemC allows one fabric per
// process; and a fabric that is brought up once serves many measurements if each is a fork.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace lanecut {

template <class T>
class Child {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  // Starts `body`, which returns a std::vector<T>. What it throws is printed.
  template <class Body>
  explicit Child(Body body) {
    int ends[2];
    std::cout.flush();
    std::fflush(nullptr);
    if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
    pid_ = fork();
    if (pid_ < 0) throw std::runtime_error("fork failed");
    if (pid_ == 0) {
      close(ends[0]);
      _exit(Work(body, ends[1]));
    }
    close(ends[1]);
    results_ = ends[0];
  }

  // Waits for the end. std::runtime_error if the work failed.
  std::vector<T> Join() {
    std::vector<T> results;
    T result;
    while (Read(&result)) results.push_back(result);
    close(results_);
    int status = 0;
    if (waitpid(pid_, &status, 0) != pid_ || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      throw std::runtime_error("a process that was started failed");
    }
    return results;
  }

 private:
  template <class Body>
  static int Work(Body& body, int out) {
    try {
      for (const T& result : body()) {
        if (write(out, &result, sizeof result) != sizeof result) return 1;
      }
      return 0;
    } catch (const std::exception& error) {
      std::cerr << error.what() << '\n';
      return 1;
    }
  }

  bool Read(T* result) {
    std::size_t have = 0;
    while (have < sizeof *result) {
      const ssize_t got =
          read(results_, reinterpret_cast<char*>(result) + have, sizeof *result - have);
      if (got <= 0) return false;
      have += static_cast<std::size_t>(got);
    }
    return true;
  }

  pid_t pid_ = -1;
  int results_ = -1;
};

}  // namespace lanecut
