jpbpf --version
