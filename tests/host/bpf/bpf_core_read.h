/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Stands in for libbpf's header of the same name. */
#ifndef JPBPF_TESTS_HOST_BPF_CORE_READ_H
#define JPBPF_TESTS_HOST_BPF_CORE_READ_H

#define bpf_core_type_id_kernel(type)	      0
#define bpf_core_field_offset(type, field)    __builtin_offsetof(type, field)
#define bpf_core_field_exists(type, field)    1

#define READ_2(object, field)	       ((object)->field)
#define READ_3(object, pointer, field) ((object)->pointer->field)
#define READ_OF(_1, _2, _3, which, ...) which
#define BPF_CORE_READ(...) \
	READ_OF(__VA_ARGS__, READ_3, READ_2, )(__VA_ARGS__)

#endif
