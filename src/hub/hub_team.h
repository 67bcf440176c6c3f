#pragma once
#include <map>
#include <string>
#include <vector>

#include "hub/hub_folder.h"
#include "parallel/communicator.h"

namespace wordbridge {

/// The processes that make a hub together, all of which see its folder. Who is free takes the next piece of work, the
/// largest first: a claim is a file that only one of them can make. Results are files, too, or small enough to be told.
class HubTeam {
 public:
  /// All processes make one at the same time.
  HubTeam(const HubFolder& folder, Communicator& communicator);
  ~HubTeam();
  HubTeam(const HubTeam&) = delete;
  HubTeam& operator=(const HubTeam&) = delete;

  bool is_first() const { return communicator_.is_first(); }
  /// True for one process only.
  bool claim(const std::string& work) const;
  void wait_for_all() const { communicator_.wait_for_all(); }
  /// What all processes tell, put together; where two tell the same name, the first counts.
  std::map<std::string, std::string> share(const std::map<std::string, std::string>& own) const;

 private:
  Communicator& communicator_;
  std::string folder_;  // of the claims; empty: there is nobody else
};

}  // namespace wordbridge
