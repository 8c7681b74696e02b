import type { ReadOnlyCommands } from '../read-only-spec.ts'

/** Read-only commands of programs that set up machines and clusters. None of these runs code of the project. */
export const INFRASTRUCTURE_COMMANDS: Readonly<Record<string, ReadOnlyCommands>> = {
  // excluded: `preview` runs the program of the project
  pulumi: {
    asks: [
      {
        verbs: 'stack, config, stack ls|list|output|history, version|whoami|about, plugin ls, config get',
        options: '--json -j --show-ids -i --show-urns -u --show-name --all -a --verbose -v --non-interactive',
        values: '-s --stack --color -o --organization -p --project --page --page-size',
        words: 'none',
      },
    ],
  },
  // excluded: an `ansible.cfg` of the project may name a program that lists the hosts
  'ansible-doc': {
    alone: '--version -l --list',
    asks: [{ verbs: '', options: '-t --type -s --snippet -j --json -l --list', words: 'names' }],
  },
  nomad: {
    alone: '--version -v -version',
    asks: [
      {
        verbs:
          'status|version, job status|history|inspect, node status, alloc status|logs, server members, namespace list|status, eval status|list, deployment list|status',
        options: '-json -verbose -short -namespace -region -address -self -stats -no-color -stderr -tail -n -t',
      },
    ],
  },
  consul: {
    alone: '--version -version',
    asks: [
      {
        verbs:
          'catalog services|nodes|datacenters, members|info|version, kv get, intention list|get, acl token|policy|role list|read, operator raft',
        options:
          '-http-addr -datacenter -recurse -keys -detailed -node -service -tags -near -format -separator -meta -status -wan',
      },
    ],
  },
  // excluded: `read` may create credentials
  vault: {
    alone: '--version -version',
    asks: [
      {
        verbs:
          'status|version, auth list, secrets list, policy list|read, audit list, kv list|get, kv metadata get, token lookup, namespace list, plugin list',
        options: '-format -field -detailed -namespace -ns -mount -version -no-color -address',
      },
    ],
  },
  argocd: {
    asks: [
      {
        verbs:
          'app list|get|history|resources|manifests, version, cluster list|get, proj|project list|get, repo list|get, account list|get|get-user-info, context',
        options:
          '-o --output -p --project -l --selector -r --repo -c --cluster --show-params --show-operation --client --short --grpc-web --insecure -N --app-namespace --source',
        words: 'none',
      },
      { verbs: 'app get|history|resources, proj get, cluster get', options: '-o --output', words: 'names' },
    ],
  },
  flux: {
    alone: '--version -v',
    asks: [
      {
        verbs: 'get, stats, check, version, tree',
        options:
          '-n --namespace -A --all-namespaces --status-selector -l --label-selector --no-header -o --output --pre --context',
        words: 'names',
      },
    ],
  },
  istioctl: {
    asks: [
      {
        verbs: 'proxy-status|ps|version|analyze',
        options: '-n --namespace -A --all-namespaces -o --output --remote --short -i --istioNamespace --context -s',
        words: 'names',
      },
    ],
  },
  k9s: { asks: [{ verbs: 'version|info', options: '-s --short', words: 'none' }] },
  minikube: {
    asks: [
      {
        verbs: 'status|version|ip, profile list, addons list, node list, service list',
        options: '-o --output -p --profile --short -l --light',
        words: 'names',
      },
    ],
  },
  kind: {
    alone: '--version version',
    asks: [{ verbs: 'get clusters|nodes', options: '--name -A --all-clusters -q --quiet' }],
  },
  kustomize: {
    asks: [
      { verbs: 'version', options: '--short', words: 'none' },
      { verbs: 'build', words: 'names' },
    ],
  },
  kubectx: { alone: '-c --current -h --help' },
  kubens: { alone: '-c --current -h --help' },
  stern: {
    alone: '--version -v',
    asks: [
      {
        verbs: '',
        options:
          '-n --namespace -A --all-namespaces -c --container -l --selector -o --output -s --since --tail -t --timestamps -i --include -e --exclude --no-follow --color --context --highlight -E --exclude-container --max-log-requests --only-log-lines --container-state --ephemeral-containers --init-containers --field-selector --node',
        words: 'names',
      },
    ],
  },
  'docker-machine': {
    alone: '--version -v',
    asks: [
      {
        verbs: 'ls|status|ip|inspect|version|active|url',
        options: '-q --quiet --filter -f --format -t',
        words: 'names',
      },
    ],
  },
  signalbox: { asks: [{ verbs: 'status|gates|version', options: '--json', words: 'none' }] },
}
