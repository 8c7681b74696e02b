import type { ReadOnlyCommands } from '../read-only-spec.ts'

/** Services of which every operation `get-*` only reads, but for those that `except` names: they write a file, create or take something. */
const AWS_GETTERS =
  'sts|iam|ec2|s3api|lambda|logs|cloudwatch|route53|cloudformation|ecs|eks|ecr|rds|sqs|sns|ssm|secretsmanager|kms|ce|apigateway|apigatewayv2|autoscaling|elbv2|acm|organizations|dynamodb|cloudfront|events|stepfunctions|athena|glue|wafv2|cloudtrail|kinesis|budgets'

const aws: ReadOnlyCommands = {
  alone: '--version',
  flags: '--no-cli-pager --no-paginate --no-verify-ssl --debug --no-sign-request',
  values: '--profile --region --output --query --color --cli-read-timeout --cli-connect-timeout',
  asks: [
    {
      verbs: [
        '* describe-*|list-*|head-*',
        `${AWS_GETTERS} get-*`,
        's3 ls',
        'configure list|list-profiles|get',
        'logs filter-log-events|tail',
        'dynamodb scan|query|batch-get-item',
        'cloudtrail lookup-events',
      ].join(', '),
      except:
        'describe-input-device-thumbnail get-object get-object-annotation get-object-torrent get-export get-sdk get-function get-connection-function get-activity-task get-flow-logs-integration-template get-log-object get-access-token get-session-token get-federation-token get-delegated-access-token get-web-identity-token get-authorization-token get-login get-login-password get-token get-deployable-patch-snapshot-for-instance',
      harmful:
        '--cli-input-json --cli-input-yaml --cli-auto-prompt --endpoint-url --generate-cli-skeleton --ca-bundle --outfile --priv-launch-key',
    },
    // `cloudfront get-function` writes a file
    { verbs: 'lambda get-function', values: '--function-name --qualifier --query --output --region', words: 'none' },
  ],
}

/** In `gcloud`, a name may follow the verb, and could look like another verb. */
const GCLOUD_GROUPS =
  'alpha beta compute instances disks images snapshots networks subnets firewall-rules addresses zones regions machine-types instance-groups instance-templates managed unmanaged forwarding-rules backend-services health-checks target-pools url-maps routers routes ssl-certificates target-http-proxies target-https-proxies projects organizations folders billing accounts iam service-accounts keys roles container clusters node-pools images operations run services revisions jobs executions regions domain-mappings functions runtimes sql databases backups users tiers storage buckets objects pubsub topics subscriptions secrets versions kms keyrings dns managed-zones record-sets builds triggers app artifacts repositories packages docker logging logs sinks metrics monitoring dashboards policies redis memcache filestore spanner bigtable dataproc dataflow composer environments scheduler tasks queues eventarc deploy releases targets deployment-manager deployments source repos config configurations components auth endpoints recommender asset access-context-manager'

const gcloud: ReadOnlyCommands = {
  alone: '--version -v',
  flags: '-q --quiet --no-user-output-enabled',
  values: '--project --format --account --verbosity --configuration --zone --region',
  asks: [
    {
      verbs: 'list|describe|get-iam-policy|list-tags|list-grantable-roles',
      groups: GCLOUD_GROUPS,
      options: '-q',
      harmful: '--flags-file --log-http --access-token-file --credential-file-override --destination --output-file',
    },
    {
      verbs: 'config get-value|get, logging read, storage ls|du, builds log, version',
      options: '-q -l -r -R -a -h -s',
      harmful: '--flags-file --log-http --access-token-file --credential-file-override',
    },
    { verbs: 'info', options: '--format --quiet --show-log', words: 'none' },
  ],
}

/** Where a call cannot be of another verb: the program takes no names but behind options. */
const AZ_VERBS =
  'add agree apply approve assign attach begin bind cancel clear clone configure convert copy create delete deploy detach disable download enable exec execute export failover feedback find flush force generate grant import init install interactive invoke kill lock login logout merge migrate move open perform promote publish purge put query reboot redeploy refresh regenerate register reimage remove renew replace request reset resize restart restore resume revoke rotate run scale set shell ssh start stop swap sync tag test undelete unlock unregister update upgrade upload validate vote wait'

const az: ReadOnlyCommands = {
  alone: '--version -v',
  asks: [
    {
      verbs: ['*', '* *', '* * *', '* * * *'].map(groups => `${groups} show|list`).join(', '),
      except: AZ_VERBS,
      options: '-o -g -n -l -d -q -s -c -r -a -w -p',
      harmful: '--file --output-folder --destination --dest',
    },
    { verbs: 'version', options: '-o --output --query', words: 'plain' },
  ],
}

const DO_GROUPS =
  'account balance apps databases db user pool compute droplet image region size domain records volume firewall load-balancer ssh-key snapshot reserved-ip kubernetes cluster node-pool projects registry repository vpcs monitoring alert serverless functions'

/** Read-only commands of the programs of clouds and of what runs in them. */
export const CLOUD_COMMANDS: Readonly<Record<string, ReadOnlyCommands>> = {
  aws,
  gcloud,
  az,
  gsutil: {
    flags: '-m -q',
    asks: [{ verbs: 'ls|du|stat|cat|version', options: '-l -L -r -R -a -s -h -c -b -d -p -e' }],
  },
  bq: {
    values: '--project_id --location',
    asks: [
      {
        verbs: 'ls|show|head|version',
        options:
          '--format --max_results -n -a -j -d -p -t -m --schema --all --jobs --job --datasets --projects --view --model --quiet --location --project_id --filter --min_creation_time --max_creation_time --start_row --selected_fields',
      },
    ],
  },
  doctl: {
    values: '--context -o --output',
    asks: [
      {
        verbs: 'list|get|list-*, version',
        groups: DO_GROUPS,
        options: '--format --no-header -o --output --context --region --tag-name --resource --public',
      },
    ],
  },
  heroku: {
    alone: '--version -v',
    asks: [
      {
        verbs:
          'apps|apps:info|info|logs|ps|releases|releases:info|releases:output|config|config:get|addons|domains|status|whoami|auth:whoami|regions|pg:info|pg:ps|redis:info|pipelines|certs|features|labs|buildpacks|stack|access|members|teams|version',
        options: '--all --json -t --tail -j --shell -s --extended -x',
        values: '-a --app -n --num -d --dyno -r --remote --source --team',
        words: 'none',
      },
    ],
  },
  fly: {
    asks: [
      {
        verbs:
          'status|logs|version|releases|info, apps list, regions list, ips list, volumes list, machines list, machine list, secrets list, platform regions|status, auth whoami, orgs list, services list',
        options: '-n --no-tail -j --json --all',
        values: '-a --app -r --region -i --instance',
        words: 'none',
      },
    ],
  },
  vercel: {
    alone: '--version -v',
    asks: [
      {
        verbs:
          'ls|list|whoami|inspect|logs, env ls|list, domains ls|list, dns ls, alias ls, projects ls, project ls|inspect, teams ls',
        options: '--json --prod --no-color --limit -n --environment -m --meta --next -N --since --until',
      },
    ],
  },
  netlify: {
    alone: '--version',
    asks: [{ verbs: 'sites:list|status|env:list|functions:list, status', options: '--json --verbose', words: 'none' }],
  },
  wrangler: {
    alone: '--version -v',
    asks: [
      {
        verbs:
          'whoami, deployments list|status, versions list, kv namespace list, d1 list|info, r2 bucket list, queues list, secret list, pages project list',
        options: '--json --name --env -e',
      },
    ],
  },
  firebase: {
    alone: '--version -V',
    asks: [
      {
        verbs:
          'projects:list|apps:list|functions:list|functions:log|login:list|hosting:sites:list|database:instances:list',
        options: '--json -j --non-interactive',
        values: '-P --project',
        words: 'none',
      },
    ],
  },
  supabase: {
    alone: '--version -v',
    asks: [
      {
        verbs: 'projects list, orgs list, functions list, secrets list, branches list, migration list, status',
        options: '--linked --local -o --output --project-ref --debug',
      },
    ],
  },
  stripe: {
    alone: '--version -v',
    asks: [
      {
        verbs:
          'customers|charges|invoices|products|prices|subscriptions|payment_intents|payouts|events|refunds|coupons|disputes|balance_transactions|checkout_sessions list|retrieve, balance retrieve, version',
        options: '--limit -l --live --expand -s --show-headers --starting-after --ending-before --color',
      },
    ],
  },
  'sentry-cli': {
    alone: '--version -V',
    asks: [
      {
        verbs: 'info, releases list|info, projects list, organizations list, issues list, events list, repos list',
        options: '-o --org -p --project --no-defaults --config-status-json -V --show-projects --show-commits --quiet',
      },
    ],
  },
  oci: {
    alone: '--version -v',
    asks: [
      {
        verbs: '* * list, * * * list',
        except: 'raw-request setup session',
        options: '-c',
        harmful:
          '--from-json --file --generate-full-command-json-input --generate-param-json-input --config-file --cert-bundle',
      },
    ],
  },
  ibmcloud: {
    alone: '--version -v',
    asks: [
      {
        verbs:
          'target|version|regions|account|resource, account list|show, resource groups|service-instances, plugin list',
        options: '--output',
        values: '--output',
        words: 'none',
      },
    ],
  },
  'linode-cli': {
    alone: '--version',
    asks: [
      {
        verbs:
          'linodes|volumes|domains|regions|images|nodebalancers|lke|databases|account|profile|firewalls|events list|view|clusters-list|types',
        options: '--json --pretty --text --format --all --no-headers --delimiter --page --page-size --no-defaults',
      },
    ],
  },
}
