# SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
# Completion for bash.  The program's own help says which options, formats and events
# there are.

_jpbpf_list() { # TABLE: the first words of a table of the help
	jpbpf --help 2>/dev/null |
		sed -n "/^$1:/,/^\$/s/^  \\([a-z-]*\\) .*/\\1/p"
}

_jpbpf() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local verb=${COMP_WORDS[1]} verbs='record dump errors trace report convert diff maps check info'
	local words=

	case " $verbs " in
	*" $verb "*) ;;
	*) verb= ;;
	esac
	case $prev in
	-f | --format) words=$(_jpbpf_list Formats) ;;
	-e | --event) words=$(_jpbpf_list Events) ;;
	--flat) words='function space line module process thread event' ;;
	--by) words='process thread comm' ;;
	-p | --pid) words=$(ps -eo pid= 2>/dev/null) ;;
	-o | --output | --rules | --source | --control | --symbols)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return
		;;
	*)
		if [[ $cur == -* ]]; then
			# shellcheck disable=SC2086 # no verb is no word
			words=$(jpbpf $verb --help 2>/dev/null |
				grep -oE '^ +(-[A-Za-z], )?--[a-z-]+' |
				grep -oE -- '--[a-z-]+')
		elif [ "$COMP_CWORD" = 1 ]; then
			words=$verbs
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
			return
		fi
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o filenames -F _jpbpf jpbpf
