#include <nlohmann/json.hpp>

#include "plugins/animation/analyze/report.h"

namespace simmer::animation {
namespace {

using Json = nlohmann::ordered_json;

double perSecond(const ClipAnalysis& a, std::size_t bytes) {
  return static_cast<double>(bytes) / a.seconds;
}

const char* nameOf(article::Interpolation interpolation) {
  return interpolation == article::Interpolation::Cubic ? "cubic" : "linear";
}

template <class Row>
void addSizes(Json& json, const ClipAnalysis& a, const Row& row) {
  json["keys"] = row.keys;
  json["bytes"] = row.bytes;
  json["bytes_per_s"] = perSecond(a, row.bytes);
  json["gzip_bytes"] = row.gzipBytes;
  json["gzip_bytes_per_s"] = perSecond(a, row.gzipBytes);
  json["joint_error_mm"] = row.error.maxM * 1000;
  json["mean_joint_error_mm"] = row.error.meanM * 1000;
  json["joint_error_deg"] = row.error.maxDegrees;
}

Json techniques(const ClipAnalysis& a) {
  Json rows = Json::array();
  for (const TechniqueRow& row : a.techniques) {
    Json json{{"technique", row.number}, {"name", row.name}};
    addSizes(json, a, row);
    json["world_error_mm"] = row.worldErrorM * 1000;
    rows.push_back(std::move(json));
  }
  return rows;
}

Json sweep(const ClipAnalysis& a) {
  Json rows = Json::array();
  for (const SweepRow& row : a.sweep) {
    Json json{{"interpolation", nameOf(row.interpolation)},
              {"tolerance_mm", row.toleranceMm},
              {"tolerance_deg", article::leverDegrees(row.toleranceMm)}};
    addSizes(json, a, row);
    rows.push_back(std::move(json));
  }
  return rows;
}

Json splineJson(const ClipAnalysis& a, const SplineRow& row) {
  return {{"tolerance_mm", row.toleranceMm},
          {"bytes", row.bytes},
          {"bytes_per_second", static_cast<double>(row.bytes) / a.seconds},
          {"memory_bytes", row.memoryBytes},
          {"world_error_mm", row.worldErrorM * 1000},
          {"joint_error_mm", row.error.maxM * 1000},
          {"mean_joint_error_mm", row.error.meanM * 1000},
          {"joint_error_deg", row.error.maxDegrees}};
}

Json spline(const ClipAnalysis& a) {
  Json rows = Json::array();
  for (const SplineRow& row : a.spline.sweep) rows.push_back(splineJson(a, row));
  const auto& beside = a.spline.besideTechnique6;
  return {{"effort", "default"},
          {"self_contained", true},
          {"beside_technique_6", beside ? splineJson(a, *beside) : Json(nullptr)},
          {"tolerance_sweep", std::move(rows)}};
}

Json pixels(const ClipAnalysis& a) {
  const auto choice = [&](std::optional<std::size_t> index) {
    return index ? Json{{"tolerance_mm", a.sweep[*index].toleranceMm},
                        {"bytes", a.sweep[*index].bytes},
                        {"joint_error_mm", a.sweep[*index].error.maxM * 1000}}
                 : Json(nullptr);
  };
  Json rows = Json::array();
  for (const PixelRow& row : a.pixels)
    rows.push_back({{"height_px", row.heightPx},
                    {"mm_per_pixel", row.mmPerPixel},
                    {"linear", choice(row.linear)},
                    {"cubic", choice(row.cubic)}});
  return rows;
}

Json keysOverTime(const ClipAnalysis& a) {
  Json rows = Json::array();
  for (const TimeSpan& span : a.keysOverTime)
    rows.push_back({{"start_s", span.startS}, {"end_s", span.endS}, {"frames", span.frames}, {"keys", span.keys}});
  return rows;
}

Json records(const ClipAnalysis& a) {
  const auto pair = [](std::size_t bytes, std::size_t gzip) { return Json{{"bytes", bytes}, {"gzip_bytes", gzip}}; };
  Json rows = Json::array();
  for (const RecordSizes& sizes : a.records)
    rows.push_back({{"keys", sizes.quantised ? "quantised" : "float32"},
                    {"constant", pair(sizes.constantBytes, sizes.constantGzip)},
                    {"animated", pair(sizes.animatedBytes, sizes.animatedGzip)},
                    {"all", pair(sizes.allBytes, sizes.allGzip)}});
  return rows;
}

}  // namespace

std::string jsonReport(const ClipAnalysis& a) {
  Json json{{"clip", a.id},
            {"joints", a.joints},
            {"frames", a.frames},
            {"rate_hz", a.rateHz},
            {"seconds", a.seconds},
            {"height_m", a.heightM},
            {"height_measured", a.heightMeasured},
            {"stepped_tracks", a.steppedTracks},
            {"scalar_tracks", a.scalarTracks}};
  json["constants"] = {{"scalar_channels", a.scalarChannels()},
                       {"constant_scalar_channels", a.constantScalars},
                       {"rotation_tracks", a.joints},
                       {"constant_rotation_tracks", a.constantRotations}};
  json["techniques"] = techniques(a);
  json["animated_tracks"] = a.animatedTracks();
  json["keys_per_track_second"] = {{"linear", a.keysPerTrackSecond(a.technique(4))},
                                   {"cubic", a.keysPerTrackSecond(a.technique(5))}};
  json["tolerance_sweep"] = sweep(a);
  json["spline"] = spline(a);
  json["screen"] = pixels(a);
  json["keys_over_time"] = keysOverTime(a);
  json["gzip_by_record"] = records(a);
  json["decode_ns"] = {{"raw", a.decode.raw},
                       {"linear", a.decode.linear},
                       {"cubic", a.decode.cubic},
                       {"quantised", a.decode.quantised},
                       {"scalars_binary_search", a.decode.scalarsBySearch},
                       {"scalars_cached_cursor", a.decode.scalarsByCursor}};
  // Names come from a file: what is not UTF-8 is replaced.
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace simmer::animation
