jpbpf --help
for verb in record trace report convert diff check info; do
	echo; jpbpf $verb --help | grep -v "^Mandatory\|^for any"
done
