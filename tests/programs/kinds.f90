! SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
! Calls what it is given from an internal procedure, whose frame is linked to its
! host's.
subroutine kinds_fortran(leaf)
	external leaf
	integer :: calls
	calls = 0
	call kinds_inner
	if (calls /= 1) stop 1
contains
	subroutine kinds_inner
		call leaf()
		calls = calls + 1
	end subroutine
end subroutine
