# A page for each verb, which has no error and all options.
make -s man O="$BUILD" >/dev/null 2>&1
for verb in '' record report convert diff check info; do
	page=$BUILD/man/jpbpf${verb:+-$verb}.1
	groff -man -Tascii -ww "$page" 2>&1 | sed "s/.\x08//g; s/\x1b\[[0-9]*m//g" >"$page.txt"
	grep -nE "groff: |: warning: |: error: " "$page.txt"
	# shellcheck disable=SC2086 # no verb is no word
	jpbpf $verb --help | grep -oE '^ +(-[A-Za-z], )?--[a-z-]+' | grep -oE -- '--[a-z-]+' |
		while read -r option; do
			grep -qF -- "$option" "$page.txt" || echo "no $option"
		done
	sed -n 2,4p "$page" | sed 's/"[^"]* 20[0-9]*" "[^"]*"/DATE/'
done
