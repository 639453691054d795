# The keys, and values that no build changes; the file says the same of itself.
jpbpf info self list
jpbpf info self get walkers kernel,minimum
jpbpf info self list --json
jpbpf info self get walkers --json
for key in $(jpbpf info self list); do
	[ "$key" = libbpf,runtime ] ||
		[ "$(jpbpf info "$(command -v jpbpf)" get "$key")" = \
			"$(jpbpf info self get "$key")" ] || echo "$key differs"
done
jpbpf --version | grep -qF "$(jpbpf info self get jpbpf)" || echo 'version differs'
