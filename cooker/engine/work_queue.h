#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace simmer {

/// Tasks for a number of threads. A task may add further ones.
class WorkQueue {
 public:
  using Task = std::function<void()>;
  enum class Place { Front, Back };

  void push(Task task, Place place = Place::Back);
  /// Works on the tasks with `threads` threads (the calling one among them) until none is left and none is running.
  void run(unsigned threads);

 private:
  void work();

  std::deque<Task> m_tasks;
  std::mutex m_mutex;
  std::condition_variable m_changed;
  unsigned m_running = 0;
};

}  // namespace simmer
