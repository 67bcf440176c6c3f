#pragma once
#include <string>

namespace wordbridge::cli {

/// Takes one file out of a zip archive: the one of that name, in whatever folder of it, or else the only one there is.
/// It appears whole or not at all. InputError for an archive that is damaged, holds no such file, or packs it in a way
/// other than deflate; archives of more than 4 GB (zip64) are read, encrypted ones are not.
void unpack_zip_member(const std::string& archive, const std::string& name, const std::string& output);

}  // namespace wordbridge::cli
