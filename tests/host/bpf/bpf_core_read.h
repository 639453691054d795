/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0 */
/* Stands in for libbpf's header of the same name. */
#ifndef JPBPF_TESTS_HOST_BPF_CORE_READ_H
#define JPBPF_TESTS_HOST_BPF_CORE_READ_H

#define bpf_core_type_id_kernel(type)	      0
#define bpf_core_field_offset(type, field)    __builtin_offsetof(type, field)
#define BPF_CORE_READ(object, pointer, field) ((object)->pointer->field)

#endif
