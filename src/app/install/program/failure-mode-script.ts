/**
 * Shell function `is_closed FOLDER…`: true if a failure must deny the call. Same logic as the last resort in `bin/signalbox.cjs`: the
 * cached failure mode of the folder or one of its parents, a policy newer than that cache, and the user's and the machine's policies.
 */
export const renderIsClosedScript = (): string => `hash_of() {
  hash=$(printf %s "$1" | { sha256sum || shasum -a 256; } 2>/dev/null)
  printf %s "\${hash%"\${hash#????????????????}"}"
}

quotes="\\"'"
# true if the file has an onError other than \`open\` outside of comments; uses only the shell
says_closed() {
  [ -f "$1" ] && [ -r "$1" ] || return 1
  found=0
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in *onError*) ;; *) continue ;; esac
    case \${line#"\${line%%[![:space:]]*}"} in '#'*) continue ;; esac
    while :; do
      case $line in *onError*) line=\${line#*onError} ;; *) break ;; esac
      # nobody writes so many: stop here to save time
      found=$((found + 1))
      [ "$found" -gt 100 ] && return 0
      value=\${line#[$quotes]}
      value=\${value#"\${value%%[![:space:]]*}"}
      case $value in :*) value=\${value#:} ;; *) continue ;; esac
      value=\${value#"\${value%%[![:space:]]*}"}
      case \${value#[$quotes]} in open | open[!A-Za-z0-9_-]*) ;; *) return 0 ;; esac
    done
  done <"$1"
  return 1
}

is_closed() {
  case \${XDG_STATE_HOME:-} in
    /*) state=$XDG_STATE_HOME/signalbox ;;
    *) state=\${HOME:-}/.local/state/signalbox ;;
  esac
  case \${XDG_CONFIG_HOME:-} in
    /*) user=$XDG_CONFIG_HOME/signalbox/signalbox.yaml ;;
    *) user=\${HOME:-}/.config/signalbox/signalbox.yaml ;;
  esac
  if [ -n "\${SIGNALBOX_HOME:-}" ]; then
    state=$SIGNALBOX_HOME/state
    user=$SIGNALBOX_HOME/signalbox.yaml
  fi
  for at in "$@"; do
    while :; do
      word=
      kept=$state/posture/$(hash_of "$at")
      { IFS= read -r word <"$kept"; } 2>/dev/null
      [ "$word" = closed ] && return 0
      if [ "$word" != open ] || [ "$at/signalbox.yaml" -nt "$kept" ]; then
        says_closed "$at/signalbox.yaml" && return 0
      fi
      case $at in /*/*) at=\${at%/*} ;; /?*) at=/ ;; *) break ;; esac
    done
  done
  managed=/etc/signalbox/signalbox.yaml
  # a managed policy that cannot be read denies
  if [ -e "$managed" ] && [ ! -r "$managed" ]; then return 0; fi
  says_closed "$user" || says_closed "$managed"
}
`
