// Every call of OpenBLAS works in a buffer of 128 MB of addresses, made when it is first needed, one for each call at a
// time; where there is no memory for it, OpenBLAS asks for it again and again, for ever. The linker leads these
// requests here (--wrap=blas_memory_alloc): a call for which there is no further buffer waits for one, and where there
// is none at all, it ends by std::bad_alloc.
#include <sys/mman.h>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <new>

// The names are the linker's.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void* __real_blas_memory_alloc(int position);
void __real_blas_memory_free(void* buffer);
void* __wrap_blas_memory_alloc(int position);
void __wrap_blas_memory_free(void* buffer);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace wordbridge {

namespace {

/// The buffers of OpenBLAS, which keeps them once they are made.
class BlasBuffers {
 public:
  void* take(int position) {
    std::unique_lock lock(mutex_);
    if (used_ == made_ && !has_memory()) {
      if (used_ == 0 || held_here_ > 0) throw std::bad_alloc();
      freed_.wait(lock, [&] { return used_ < made_; });
    }
    void* buffer = __real_blas_memory_alloc(position);
    ++used_;
    ++held_here_;
    if (used_ > made_) made_ = used_;
    return buffer;
  }
  void give_back(void* buffer) {
    __real_blas_memory_free(buffer);
    const std::lock_guard lock(mutex_);
    --used_;
    --held_here_;
    freed_.notify_one();
  }

 private:
  static bool has_memory() {
    constexpr std::size_t kBytes = (std::size_t{128} << 20) + 4096;
    void* const probe = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED) return false;
    ::munmap(probe, kBytes);
    return true;
  }

  static thread_local constinit int held_here_;  // by the calling thread
  std::mutex mutex_;
  std::condition_variable freed_;
  std::size_t used_ = 0, made_ = 0;
};

thread_local constinit int BlasBuffers::held_here_ = 0;

/// Never destroyed: BLAS may be called as long as the process lives.
BlasBuffers& blas_buffers() {
  static auto* buffers = new BlasBuffers;
  return *buffers;
}

}  // namespace

}  // namespace wordbridge

void* __wrap_blas_memory_alloc(int position) { return wordbridge::blas_buffers().take(position); }
void __wrap_blas_memory_free(void* buffer) { wordbridge::blas_buffers().give_back(buffer); }
