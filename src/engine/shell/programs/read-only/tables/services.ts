import type { ReadOnlyCommands } from '../read-only-spec.ts'
import { TERRAFORM_COMMANDS } from './terraform.ts'

const docker: ReadOnlyCommands = {
  alone: '--version -v',
  flags: '-D --debug',
  values: '-c --context -l --log-level -f --file -p --project-name --profile',
  asks: [
    {
      verbs:
        'container ls|list|inspect|ps|logs|top|stats|port|diff, image ls|list|inspect|history, network ls|list|inspect, volume ls|list|inspect, context ls|list|inspect|show, ps|images|inspect|logs|version|info|stats|top|port|diff|history|search|events, system df|info|events, compose ps|ls|logs|config|images|top|port|version|events, buildx ls|du|inspect|version, node ls, service ls|ps|logs|inspect, stack ls|ps|services, manifest inspect, plugin ls, secret ls, config ls',
      options:
        '-a --all -q --quiet --no-trunc -f --filter --follow --format -n --last --tail -l --latest -s --size --since --until -t --timestamps --details --digests --no-stream --type --no-color --no-log-prefix --services --volumes --images --profiles --hash --json -v --verbose --status --orphans --no-interpolate',
    },
  ],
}

/** Read-only commands of programs that talk to a service: code hosts, containers, clusters, the system itself. */
export const SERVICE_COMMANDS: Readonly<Record<string, ReadOnlyCommands>> = {
  gh: {
    alone: '--version',
    values: '-R --repo',
    asks: [
      {
        verbs:
          'pr view|list|ls|diff|status|checks, issue view|list|ls|status, repo view|list, run view|list|watch, workflow view|list, release view|list, gist view|list, label list, milestone list, secret list, variable list|get, cache list, ruleset list|view|check, project list|view|item-list|field-list, org list, auth status, alias list, extension list, config get|list, status, search code|issues|prs|repos|commits',
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
        verbs: 'mr view|list|diff, issue view|list, ci status|list, release view|list, repo view',
        options:
          '-R --repo -F --output -P --per-page -p --page -a --all -c --closed -M --merged --author --assignee --label --search -s --source-branch --comments --color --raw',
      },
    ],
  },
  bk: { alone: '--version', asks: [{ verbs: 'build view|list', options: '-p --pipeline' }] },
  docker,
  podman: docker,
  kubectl: {
    flags: '-A --all-namespaces',
    values: '-n --namespace --context --cluster --request-timeout',
    asks: [
      {
        verbs:
          'get|describe|logs|top|explain|version|wait|cluster-info|api-resources|api-versions|events, config view|get-contexts|current-context|get-clusters|get-users, auth can-i|whoami, rollout status|history',
        options:
          '-n --namespace --context --cluster -A --all-namespaces -o --output -l --selector -w --watch --field-selector --sort-by --show-labels -L --label-columns --no-headers -c --container --containers -f --follow --tail --since --since-time -p --previous --all-containers --timestamps --prefix --show-kind --recursive --client --short --minify --list --for --types --revision --timeout --request-timeout --ignore-not-found --show-events --show-managed-fields --api-group --namespaced --verbs --chunk-size -R --server-side --field-manager --all --kustomize -k',
      },
      // its options may write a file or run a program
      { verbs: 'kustomize', words: 'names' },
    ],
  },
  helm: {
    values: '-n --namespace --kube-context',
    asks: [
      {
        verbs:
          'list|ls|status|history|version|env, get values|manifest|notes|hooks|all|metadata, show chart|values|readme, search repo|hub, repo list, template|lint',
        options:
          '-n --namespace -A --all-namespaces -a --all -o --output --revision --max --short -q --filter -f --deployed --failed --pending --kube-context -l --versions --version --devel --values --set --set-string --set-file --show-only -s --name-template -g --generate-name --include-crds --skip-tests --no-hooks --is-upgrade --kube-version --api-versions --strict --with-subcharts --quiet',
      },
    ],
  },
  terraform: TERRAFORM_COMMANDS,
  tofu: TERRAFORM_COMMANDS,
  systemctl: {
    alone: '--version --failed',
    flags: '--user --system --no-pager -q --quiet',
    asks: [
      {
        verbs:
          'status|show|cat|is-active|is-enabled|is-failed|list-units|list-unit-files|list-timers|list-sockets|list-dependencies|list-jobs|get-default',
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
  crontab: { alone: '-l -V', asks: [{ verbs: '-l', values: '-u', words: 'none' }] },
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
