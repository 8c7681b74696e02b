import type { ReadOnlyCommands } from './read-only-spec.ts'

/** Read-only commands of programs that talk to a service: code hosts, containers, clusters, the system itself. */
export const SERVICE_COMMANDS: Readonly<Record<string, ReadOnlyCommands>> = {
  gh: {
    alone: '--version',
    values: '-R --repo',
    asks: [
      {
        verbs:
          'pr view, pr list, pr ls, pr diff, pr status, pr checks, issue view, issue list, issue ls, issue status, repo view, repo list, run view, run list, run watch, workflow view, workflow list, release view, release list, gist view, gist list, label list, milestone list, secret list, variable list, variable get, cache list, ruleset list, ruleset view, ruleset check, project list, project view, project item-list, project field-list, org list, auth status, alias list, extension list, config get, config list, status, search code, search issues, search prs, search repos, search commits',
        options:
          '--json -q --jq -t --template -R --repo -L --limit -s --state -a --assignee -A --author -l --label -c --comments -B --base -H --head -S --search -m --milestone --app -d --draft -b --branch -e --event -u --user --status --created --commit --workflow --attempt -j --job -v --verbose --log --log-failed --exit-status --patch --name-only --color --required --watch --fail-fast -i --interval --yaml -y -r --raw -f --filename --files --owner --language --extension --match --order --sort --exclude-drafts --exclude-pre-releases --visibility --source --fork --archived --topic --env --org --active',
      },
      {
        // the only allowed header requests a raw file; another header may override the method
        verbs: 'api -H Accept:application/vnd.github.raw, api -X GET, api --method GET, api --method=GET, api',
        options: '-q --jq -t --template --paginate --slurp --cache --hostname -i --include --silent --verbose',
      },
    ],
  },
  glab: {
    alone: '--version',
    values: '-R --repo',
    asks: [
      {
        verbs:
          'mr view, mr list, mr diff, issue view, issue list, ci status, ci list, release view, release list, repo view',
        options:
          '-R --repo -F --output -P --per-page -p --page -a --all -c --closed -M --merged --author --assignee --label --search -s --source-branch --comments --color --raw',
      },
    ],
  },
  bk: { alone: '--version', asks: [{ verbs: 'build view, build list', options: '-p --pipeline' }] },
  docker: {
    alone: '--version -v',
    flags: '-D --debug',
    values: '-c --context -l --log-level -f --file -p --project-name --profile',
    asks: [
      {
        verbs:
          'ps, images, inspect, logs, version, info, stats, top, port, diff, history, search, events, container ls, container list, container ps, container inspect, container logs, container top, container stats, container port, container diff, image ls, image list, image inspect, image history, network ls, network list, network inspect, volume ls, volume list, volume inspect, context ls, context list, context show, context inspect, system df, system info, system events, compose ps, compose ls, compose logs, compose config, compose images, compose top, compose port, compose version, compose events, buildx ls, buildx du, buildx inspect, buildx version, node ls, service ls, service ps, service logs, service inspect, stack ls, stack ps, stack services, manifest inspect, plugin ls, secret ls, config ls',
        options:
          '-a --all -q --quiet --no-trunc -f --filter --follow --format -n --last --tail -l --latest -s --size --since --until -t --timestamps --details --digests --no-stream --type --no-color --no-log-prefix --services --volumes --images --profiles --hash --json -v --verbose --status --orphans --no-interpolate',
      },
    ],
  },
  kubectl: {
    flags: '-A --all-namespaces',
    values: '-n --namespace --context --cluster --request-timeout',
    asks: [
      {
        verbs:
          'get, describe, logs, top, explain, version, cluster-info, api-resources, api-versions, events, config view, config get-contexts, config current-context, config get-clusters, config get-users, auth can-i, auth whoami, rollout status, rollout history',
        options:
          '-n --namespace --context --cluster -A --all-namespaces -o --output -l --selector -w --watch --field-selector --sort-by --show-labels -L --label-columns --no-headers -c --container --containers -f --follow --tail --since --since-time -p --previous --all-containers --timestamps --prefix --show-kind --recursive --client --short --minify --list --for --types --revision --timeout --request-timeout --ignore-not-found --show-events --show-managed-fields --api-group --namespaced --verbs --chunk-size',
      },
    ],
  },
  helm: {
    values: '-n --namespace --kube-context',
    asks: [
      {
        verbs:
          'list, ls, status, history, get values, get manifest, get notes, get hooks, get all, get metadata, show chart, show values, show readme, search repo, search hub, repo list, version, env',
        options:
          '-n --namespace -A --all-namespaces -a --all -o --output --revision --max --short -q --filter -f --deployed --failed --pending --kube-context -l --versions --version --devel',
      },
    ],
  },
  terraform: {
    alone: '-version --version -v',
    asks: [
      {
        verbs: 'version, show, output, state list, state show, workspace list, workspace show',
        options: '-json -no-color -raw',
      },
    ],
  },
  systemctl: {
    alone: '--version',
    flags: '--user --system --no-pager -q --quiet',
    asks: [
      {
        verbs:
          'status, show, cat, is-active, is-enabled, is-failed, list-units, list-unit-files, list-timers, list-sockets, list-dependencies, list-jobs, get-default',
        options:
          '--user --system --no-pager -a --all -l --full -n --lines -p --property --state -t --type --failed --no-legend --value --plain --reverse --after --before -q --quiet',
      },
    ],
  },
  journalctl: {
    asks: [
      {
        verbs: '',
        options:
          '-u --unit -n --lines -f --follow -r --reverse -e --pager-end -x --catalog -k --dmesg -q --quiet -a --all -m --merge -b --boot --list-boots -p --priority -o --output -S --since -U --until -g --grep -t --identifier --no-pager --user --system --user-unit --disk-usage --header --no-hostname --utc --output-fields',
      },
    ],
  },
  crontab: { alone: '-l' },
  ulimit: { alone: '-a -Sa -Ha -n' },
  // a verb may be abbreviated: `ip rule r` reads rules from its input, and `ip rule a` adds one
  ip: {
    flags: '-4 -6 -br -brief -c -j -json -p -s -d -o',
    asks: [
      {
        verbs: ['addr', 'a', 'address', 'link', 'l', 'route', 'r', 'neigh', 'n', 'rule']
          .flatMap(kind => [kind, `${kind} show`, `${kind} list`, `${kind} ls`])
          .join(', '),
        words: 'none',
      },
    ],
  },
}
