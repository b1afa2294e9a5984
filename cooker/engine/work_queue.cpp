#include "cooker/engine/work_queue.h"

#include <thread>
#include <vector>

namespace simmer {

void WorkQueue::push(Task task, Place place) {
  {
    const std::lock_guard lock(m_mutex);
    if (place == Place::Front) {
      m_tasks.push_front(std::move(task));
    } else {
      m_tasks.push_back(std::move(task));
    }
  }
  m_changed.notify_one();
}

void WorkQueue::run(unsigned threads) {
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i) others.emplace_back([this] { work(); });
  work();
  for (std::thread& thread : others) thread.join();
}

void WorkQueue::work() {
  std::unique_lock lock(m_mutex);
  while (true) {
    m_changed.wait(lock, [this] { return !m_tasks.empty() || m_running == 0; });
    if (m_tasks.empty()) break;
    const Task task = std::move(m_tasks.front());
    m_tasks.pop_front();
    ++m_running;
    lock.unlock();
    task();
    lock.lock();
    --m_running;
    if (m_running == 0 && m_tasks.empty()) m_changed.notify_all();
  }
}

}  // namespace simmer
