#include "core/store/segment.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/hash.h"
#include "core/store/file_writer.h"
#include "core/store/segment_format.h"
#include "stepwise/tables.hpp"

namespace stepwise::store {
namespace {

Error open_error(int error_number) {
  return {ErrorKind::io, "store.open",
          std::string("A cached segment cannot be read: ") + std::strerror(error_number) + ".", ""};
}
Error stale_segment(const char* why) {
  return {ErrorKind::bad_data, "store.stale", std::string("A cached segment is out of date: ") + why + ".",
          "It is made anew from the profile."};
}

/// A mapping of a file on a server faults when the server or another client changes it.
bool is_on_network(int fd) {
  constexpr unsigned kNetworkFileSystems[] = {NFS_SUPER_MAGIC,
                                              SMB_SUPER_MAGIC,
                                              0xFF534D42u /* CIFS */,
                                              0xFE534D42u /* SMB2 */,
                                              CEPH_SUPER_MAGIC,
                                              0x0BD00BD0u /* Lustre */,
                                              FUSE_SUPER_MAGIC,
                                              AFS_FS_MAGIC,
                                              V9FS_MAGIC,
                                              0x47504653u /* GPFS */};
  struct statfs info {};
  if (::fstatfs(fd, &info) != 0) return false;
  return std::find(std::begin(kNetworkFileSystems), std::end(kNetworkFileSystems),
                   static_cast<unsigned>(info.f_type)) != std::end(kNetworkFileSystems);
}

Result<void> copy(int from, int to) {
  std::string piece(1u << 20, '\0');
  FileWriter writer(to);
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(from, piece.data(), piece.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return open_error(errno);
    if (got == 0) return writer.finish();
    writer.append(piece.data(), static_cast<uint64_t>(got));
    at += got;
  }
}

bool matches_declaration(const TableEntry& entry) {
  const table::TableDecl* decl = table::find_table(entry.name);
  if (decl == nullptr) return true;  // not one of ours: nothing of ours reads it by position
  return std::equal(entry.columns.begin(), entry.columns.end(), decl->columns.begin(), decl->columns.end(),
                    [](const ColumnEntry& have, const table::ColumnDecl& want) {
                      return have.name == want.name && have.type == want.type && have.unit == want.unit;
                    });
}

bool checksum_holds(const char* file, const BufferEntry& buffer) {
  const char* data = file + buffer.offset;
  const auto is_zero = [](char c) { return c == 0; };
  return hash64({data, buffer.bytes}) == buffer.checksum &&
         std::all_of(data + buffer.bytes, data + padded_bytes(buffer.bytes), is_zero);
}

enum class Soundness : uint8_t { unchecked, sound, damaged };

sw_str to_sw_str(const std::string& text) { return {text.data(), text.size()}; }

}  // namespace

struct Segment::Table {
  TableEntry entry;
  std::vector<sw_column> columns;
  sw_table view{};
  Soundness state = Soundness::unchecked;  // under verify_mutex_
};

struct Segment::DictionaryView {
  DictionaryEntry entry;
  Soundness state = Soundness::unchecked;  // under verify_mutex_
};

Segment::Segment() = default;

Segment::~Segment() {
  if (fd_ >= 0) ::close(fd_);
}

Result<std::shared_ptr<const Segment>> Segment::open(const std::filesystem::path& path, const SegmentKey& expected,
                                                     OnDamage on_damage) {
  // O_NONBLOCK: a FIFO of that name must not hang us.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return open_error(errno);
  return open_descriptor(fd, expected, std::move(on_damage));
}

Result<std::shared_ptr<const Segment>> Segment::open_descriptor(int descriptor, const SegmentKey& expected,
                                                                OnDamage on_damage) {
  std::shared_ptr<Segment> segment(new Segment());
  segment->fd_ = descriptor;
  segment->on_damage_ = std::move(on_damage);
  SW_RETURN_IF_ERROR(segment->map_file());
  SW_RETURN_IF_ERROR(segment->read_directory(expected));
  return std::shared_ptr<const Segment>(std::move(segment));
}

Result<void> Segment::map_file() {
  struct stat info {};
  if (::fstat(fd_, &info) != 0) return open_error(errno);
  if (!S_ISREG(info.st_mode)) return damaged_segment("it is no regular file");
  if (is_on_network(fd_)) {
    SW_ASSIGN_OR_RETURN(Descriptor in_memory, make_memory_file([this](int to) { return copy(fd_, to); }));
    if (::fstat(in_memory.get(), &info) != 0) return open_error(errno);
    ::close(fd_);
    fd_ = in_memory.release();
  }
  const auto size = static_cast<uint64_t>(info.st_size);
  if (size < sizeof(FileHeader) + sizeof(FileFooter)) return damaged_segment("it is cut");
  SW_ASSIGN_OR_RETURN(mapping_, Mapping::of(fd_, size));
  return {};
}

Result<void> Segment::read_directory(const SegmentKey& expected) {
  FileHeader header;
  FileFooter footer;
  const char* const data = mapping_.data();
  std::memcpy(&header, data, sizeof header);
  std::memcpy(&footer, data + mapping_.bytes() - sizeof footer, sizeof footer);
  const auto is_magic = [](const char(&magic)[8]) { return std::string_view(magic, sizeof magic) == kSegmentMagic; };
  if (!is_magic(header.magic)) return damaged_segment("it is no segment");
  if (header.version != kSegmentVersion || header.header_bytes != sizeof header) {
    return stale_segment("another version of Stepwise wrote it");
  }
  if (!is_magic(footer.magic)) return damaged_segment("it is cut");

  const uint64_t before_footer = mapping_.bytes() - sizeof footer;
  if (footer.directory_offset % kBufferAlignment != 0 || footer.directory_offset < sizeof header ||
      footer.directory_offset > before_footer || footer.directory_bytes != before_footer - footer.directory_offset) {
    return damaged_segment("its directory is not where it must be");
  }
  const std::string_view text(data + footer.directory_offset, footer.directory_bytes);
  hash_ = directory_checksum(header, text);
  if (hash_ != footer.checksum) return damaged_segment("its directory's checksum differs");
  if (SegmentKey{header.ingest_print, header.source_print} != expected) {
    return stale_segment("the profile or Stepwise changed since");
  }
  key_ = expected;

  SW_ASSIGN_OR_RETURN(Directory directory, directory_from_text(text, footer.directory_offset));
  dictionary_ = std::make_unique<DictionaryView>(DictionaryView{directory.dictionary});
  for (TableEntry& entry : directory.tables) {
    if (!matches_declaration(entry)) return stale_segment("a table's columns changed");
    auto table = std::make_unique<Table>();
    table->entry = std::move(entry);
    make_views(*table);
    const std::string& name = table->entry.name;
    if (!tables_.emplace(name, std::move(table)).second) return damaged_segment("a table stands in it twice");
  }
  return {};
}

void Segment::make_views(Table& table) const {
  const char* const data = mapping_.data();
  const DictionaryEntry& dictionary = dictionary_->entry;
  for (const ColumnEntry& column : table.entry.columns) {
    sw_column view{};
    view.size = sizeof view;
    view.type = static_cast<uint32_t>(column.type);
    view.unit = static_cast<uint32_t>(column.unit);
    view.name = to_sw_str(column.name);
    view.rows = table.entry.rows;
    view.null_count = column.null_count;
    view.data = data + column.data.offset;
    if (column.validity) view.validity = reinterpret_cast<const uint8_t*>(data + column.validity->offset);
    if (column.type == table::Type::code) {
      view.dict_offsets = reinterpret_cast<const uint32_t*>(data + dictionary.offsets.offset);
      view.dict_bytes = data + dictionary.bytes.offset;
      view.dict_count = dictionary.count;
    }
    table.columns.push_back(view);
  }
  table.view.size = sizeof table.view;
  table.view.column_count = static_cast<uint32_t>(table.columns.size());
  table.view.columns = table.columns.data();
  table.view.column_stride = sizeof(sw_column);
  table.view.rows = table.entry.rows;
  table.view.source_file = to_sw_str(table.entry.source_file);
}

Result<const sw_table*> Segment::table(std::string_view name) const {
  const auto found = tables_.find(name);
  if (found == tables_.end()) return static_cast<const sw_table*>(nullptr);
  if (!is_whole()) {
    damage_was_found();
    return damaged_segment("its file was cut, or cannot be read");
  }
  Table& table = *found->second;
  {
    const std::lock_guard lock(verify_mutex_);
    if (table.state == Soundness::unchecked) table.state = is_sound(table) ? Soundness::sound : Soundness::damaged;
    if (table.state == Soundness::sound) return &table.view;
  }
  damage_was_found();
  return damaged_segment("table " + table.entry.name + " has wrong bytes");
}

/// A part of a page that was cut off reads as zeros without a fault: the file's length alone tells.
bool Segment::is_whole() const {
  struct stat info {};
  return !mapping_.is_broken() && ::fstat(fd_, &info) == 0 && static_cast<uint64_t>(info.st_size) == mapping_.bytes();
}

bool Segment::is_damaged() const {
  if (is_damaged_.load(std::memory_order_acquire)) return true;
  if (is_whole()) return false;
  damage_was_found();
  return true;
}

Result<void> Segment::check() const {
  if (is_damaged()) return damaged_segment("it changed while it was read");
  return {};
}

void Segment::damage_was_found() const {
  if (!is_damaged_.exchange(true) && on_damage_) on_damage_();
}

bool Segment::is_sound(const Table& table) const {
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const ColumnEntry& entry = table.entry.columns[i];
    if (!checksum_holds(mapping_.data(), entry.data)) return false;
    if (entry.validity && !checksum_holds(mapping_.data(), *entry.validity)) return false;
    if (entry.type != table::Type::code) continue;
    const sw_column& column = table.columns[i];
    const auto* codes = static_cast<const uint32_t*>(column.data);
    const auto in_dictionary = [&](uint32_t code) { return code < column.dict_count; };
    if (!dictionary_is_sound() || !std::all_of(codes, codes + column.rows, in_dictionary)) return false;
  }
  return true;
}

bool Segment::dictionary_is_sound() const {
  const DictionaryEntry& entry = dictionary_->entry;
  if (dictionary_->state == Soundness::unchecked) {
    const char* const data = mapping_.data();
    const auto* offsets = reinterpret_cast<const uint32_t*>(data + entry.offsets.offset);
    const bool sound = checksum_holds(data, entry.offsets) && checksum_holds(data, entry.bytes) && offsets[0] == 0 &&
                       std::is_sorted(offsets, offsets + entry.count + 1) && offsets[entry.count] == entry.bytes.bytes;
    dictionary_->state = sound ? Soundness::sound : Soundness::damaged;
  }
  return dictionary_->state == Soundness::sound;
}

std::vector<std::string> Segment::table_names() const {
  std::vector<std::string> names;
  for (const auto& [name, table] : tables_) names.push_back(name);
  return names;
}

}  // namespace stepwise::store
