jpbpf --help
