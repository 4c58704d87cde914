// Names of kernels in few columns. All of them stand in traces of real runs.
#include "stepwise/short_names.hpp"

#include <algorithm>
#include <set>

#include "tests/catch.h"

using stepwise::short_name;
using stepwise::short_names;

namespace {

const std::vector<std::string_view> kReal = {
    "void "
    "cutlass::Kernel<cutlass_80_tensorop_s1688gemm_256x64_16x4_tn_align1>(cutlass_80_tensorop_s1688gemm_256x64_16x4_"
    "tn_align1::Params)",
    "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_256x128_32x3_nt_align1>(cutlass_80_tensorop_s1688gemm_256x128_"
    "32x3_nt_align1::Params)",
    "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_256x128_32x3_nn_align1>(cutlass_80_tensorop_s1688gemm_256x128_"
    "32x3_nn_align1::Params)",
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3> "
    ">(int, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>)",
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<double>, at::detail::Array<char*, "
    "3> "
    ">(int, at::native::CUDAFunctor_add<double>, at::detail::Array<char*, 3>)",
    "void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<float, float, float, "
    "at::native::binary_internal::MulFunctor<float> >, at::detail::Array<char*, 2> >(int, "
    "at::native::AUnaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> >, "
    "at::detail::Array<char*, 2>)",
    "void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<float, float, float, "
    "at::native::binary_internal::MulFunctor<float> >, at::detail::Array<char*, 3> >(int, "
    "at::native::BinaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> >, "
    "at::detail::Array<char*, 3>)",
    "void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, unsigned int, 1, 128, 1>(float*, "
    "at::native::(anonymous namespace)::CatArrInputTensorMetadata<float, unsigned int, 128, 1>, "
    "at::native::(anonymous namespace)::TensorSizeStride<unsigned int, 4u>, int, unsigned int)",
    "volta_scudnn_winograd_128x128_ldg1_ldg4_relu_tile148t_nt_v1",
    "triton_red_fused__unsafe_view_add_mean_mul_pow_rsqrt_1",
    "ampere_sgemm_128x64_nn",
};

size_t columns(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::set<std::string> as_set(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

}  // namespace

TEST_CASE("a name that fits stays as it is, also with parameters") {
  CHECK(short_name("ampere_sgemm_128x64_nn", 22) == "ampere_sgemm_128x64_nn");
  CHECK(short_name("void f<1>(int)", 14) == "void f<1>(int)");
  CHECK(short_name("", 8).empty());
}

TEST_CASE("of a template the namespaces, `void` and the parameters go first") {
  CHECK(short_name(kReal[7], 48) == "CatArrayBatchedCopy<float, unsigned int, 1, 128…");
  CHECK(short_name(kReal[7], 60) == "CatArrayBatchedCopy<float, unsigned int, 1, 128, 1>");
  CHECK(short_name(kReal[3], 96) == "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>, Array<char*, 3>>");
}

TEST_CASE("of any other name the middle goes: sizes stand at its end") {
  CHECK(short_name(kReal[8], 48) == "volta_scudnn_winograd_12…dg4_relu_tile148t_nt_v1");
  CHECK(short_name(kReal[0], 48) == "Kernel<cutlass_80_tensor…_256x64_16x4_tn_align1>");
  CHECK(short_name("Memcpy DtoH (Device -> Pageable)", 20) == "Memcpy Dto…Pageable)");
  CHECK(short_name("ααααββββ", 5) == "αα…ββ");
}

TEST_CASE("names that would look alike show where they begin to differ") {
  CHECK(short_names({kReal[3], kReal[4]}, 48) ==
        std::vector<std::string>{"vectorized_eleme…UDAFunctor_add<float>, Array<c…",
                                 "vectorized_eleme…UDAFunctor_add<double>, Array<…"});
  CHECK(short_names({kReal[3], kReal[5]}, 48)[0] == "vectorized_elementwise_kernel<4, CUDAFunctor_ad…");
  CHECK(short_names({"void f<int>(int)", "void g::f<int>(float)"}, 12) ==
        std::vector<std::string>{"void f<int>…", "void g::f<i…"});
}

TEST_CASE("different names stay different and fit, whatever the width and the mark") {
  for (const std::string_view mark : {"…", "..."}) {
    for (const size_t width : {8, 16, 24, 30, 48, 96}) {
      const auto texts = short_names(kReal, width, mark);
      INFO(width);
      CHECK(as_set(texts).size() == kReal.size());
      for (const std::string& text : texts) CHECK(columns(text) <= width);
    }
  }
}

TEST_CASE("the same names give the same texts in any order, and equal names equal ones") {
  const auto texts = short_names(kReal, 30);
  std::vector<std::string_view> reversed(kReal.rbegin(), kReal.rend());
  auto other = short_names(reversed, 30);
  std::reverse(other.begin(), other.end());
  CHECK(texts == other);
  const auto twice = short_names({kReal[3], kReal[4], kReal[3]}, 30);
  CHECK(twice[0] == twice[2]);
  CHECK(twice[0] != twice[1]);
}

TEST_CASE("names that differ in several far places get a number, none that another one has") {
  std::vector<std::string> names;
  for (const char* a : {"x", "y"}) {
    for (const char* b : {"x", "y"})
      names.push_back(std::string(40, 'a') + a + std::string(40, 'b') + b + std::string(40, 'c'));
  }
  const auto texts = short_names({names.begin(), names.end()}, 9);
  CHECK(as_set(texts).size() == 4);
  for (const std::string& text : texts) CHECK(columns(text) <= 9);
}
