/** Where a program takes a secret, besides options that are named after it. */
export interface Habit {
  readonly programs: string
  /** only behind this word: `docker login -p x`, never `docker run -p 80:80` */
  readonly after?: RegExp
  /** the word behind one of these */
  readonly next?: RegExp
  /** what of that word stays; without it the word is no secret */
  readonly keeps?: RegExp
  /** a word of which all but the first group is the secret */
  readonly within?: RegExp
  /** the nth argument behind `after`, or behind the program; 0: the last one */
  readonly nth?: number
  /** options whose value is no argument: `cargo login --registry r x` */
  readonly skips?: RegExp
  /** only where this word stands too, wherever: `pulumi config set name x --secret` */
  readonly needs?: RegExp
}

const CLIENTS = 'curl wget http https xh'
const REDIS = 'redis-cli valkey-cli keydb-cli'
const USER = /^[^\s:"'$/]+:(?!\d)/

/** `-u name:x` of any program, but for those that run something as `user:group`. */
export const USER_HABIT: Habit = {
  programs: '',
  next: /^(?:-u|--user)$/,
  keeps: USER,
  within: /^((?:-u|--user=)[^\s:"'$/]+:(?!\d)).+/,
}
export const RUNS_AS = new Set(['docker', 'podman', 'nerdctl', 'kubectl', 'oc', 'lxc', 'chown'])

/** Options that have a value. */
const ANSIBLE = /^(?:-n|--(?:name|stdin-name|output|vault-id|encrypt-vault-id|vault-password-file))$/
const PULUMI = /^(?:-s|-C|--(?:stack|cwd|config-file|type|color))$/

/** Made when the first is looked for: so many patterns take their time. */
export const allHabits = (): readonly Habit[] => [
  {
    programs:
      'mysql mysqldump mysqladmin mysqlimport mysqlpump mysqlshow mariadb mariadb-dump mariadb-admin mariadb-import mycli',
    within: /^(-p).+/,
  },
  { programs: 'mysqladmin mariadb-admin', after: /^(?:old-)?password$/, nth: 1 },
  { programs: 'sshpass', next: /^-p$/, within: /^(-p).+/ },
  { programs: '7z 7za 7zr 7zz rar unrar', within: /^(-h?p).+/ },
  {
    programs:
      'zip unzip zipcloak sqlcmd bcp isql tsql mssql-cli mosquitto_pub mosquitto_sub ipmitool gpg-preset-passphrase',
    next: /^-P$/,
  },
  { programs: 'ssh-keygen', next: /^-[NP]$/, within: /^(-[NP]).+/ },
  { programs: 'snmpwalk snmpget snmpset', next: /^-[AX]$/ },
  { programs: 'doctl glab vercel codecov', next: /^-t$/ },
  { programs: 'sqlplus sqlldr expdp impdp rman', within: /^(\w+\/)(?=[^/@]+(?:@.*)?$).+/ },
  { programs: 'xfreerdp', within: /^(\/p:).+/ },
  { programs: REDIS, next: /^-a$/ },
  { programs: REDIS, after: /^auth$/i, nth: 0 },
  { programs: REDIS, after: /^hello$/i, nth: 4 },
  { programs: REDIS, after: /^setuser$/i, within: /^([>#]).+/ },
  { programs: 'openssl', next: /^-(?:k|K|hmac|psk)$/, within: /^(pass:).+/ },
  { programs: 'openssl', after: /^passwd$/, nth: 1, skips: /^-(?:salt|in|rand)$/ },
  { programs: 'ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd', next: /^-w$/ },
  {
    programs:
      'mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh cypher-shell rabbitmqadmin couchbase-cli twine useradd usermod rdesktop psexec',
    next: /^-p$/,
  },
  {
    programs: 'docker podman nerdctl buildah helm oras crane skopeo az oc cf',
    after: /^login$/,
    next: /^-p$/,
    within: /^(-p).+/,
  },
  { programs: 'security', next: /^-[pw]$/ },
  { programs: 'poetry', after: /^publish$/, next: /^-p$/ },
  { programs: 'dotnet', after: /^push$/, next: /^-k$/ },
  { programs: 'aws', after: /^put-parameter$/, next: /^--value$/, within: /^(--value=).+/ },
  {
    programs: 'aws',
    after: /^(?:create-secret|put-secret-value|update-secret)$/,
    next: /^--secret-(?:string|binary)$/,
    keeps: /^(?!fileb?:)/,
    within: /^(--secret-(?:string|binary)=)(?!fileb?:).+/,
  },
  { programs: 'gh', after: /^secret$/, next: /^(?:-b|--body)$/, within: /^(--body=|-b=?).+/ },
  {
    programs: 'kubectl oc',
    after: /^secret$/,
    next: /^--from-literal$/,
    keeps: /^[\w.-]+=/,
    within: /^(--from-literal=["']?[\w.-]+=).+/,
  },
  { programs: 'fly flyctl doppler', after: /^secrets$/, within: /^(\w[\w.-]*=).+/ },
  { programs: 'vault', after: /^(?:put|patch|write)$/, within: /^(\w[\w.-]*=).+/ },
  { programs: 'heroku dokku gigalixir', after: /^config:(?:set|add)$/, within: /^(\w[\w.-]*=).+/ },
  { programs: 'op', after: /^item$/, within: /^([^=]*\[(?:password|concealed|otp)\]=).+/i },
  { programs: 'pulumi', after: /^set$/, nth: 2, skips: PULUMI, needs: /^--secret(?:=true)?$/ },
  { programs: 'pulumi', after: /^set-all$/, next: /^--secret$/, keeps: /^[^=]+=/, within: /^(--secret=[^=]+=).+/ },
  { programs: 'npm pnpm yarn', after: /^(?:adduser|add-user|login)$/, next: /^-p$/ },
  { programs: 'npm-cli-login npm-cli-adduser', next: /^-p$/ },
  { programs: 'vault cargo', after: /^(?:login|unseal)$/, nth: 1, skips: /^--(?:registry|index)$/ },
  { programs: CLIENTS, next: /^(?:-b|--cookie)$/, keeps: /^(?=[^=]*=)/, within: /^(--cookie=).+/ },
  {
    programs: CLIENTS,
    next: /^(?:-\w{0,6}[uUa]|--(?:proxy-)?user|--auth)$/,
    keeps: USER,
    within: /^(--proxy-user=[^:]+:).+/,
  },
  { programs: 'curl', next: /^(?:-E|--cert)$/, keeps: /^[^:\s]+:/ },
  { programs: 'smbclient rpcclient', within: /^([^%\s]+%).+/ },
  { programs: 'lftp', within: /^([^,\s/]+,).+/ },
  { programs: 'ansible-vault', after: /^encrypt_string$/, nth: 1, skips: ANSIBLE },
  { programs: 'rabbitmqctl', after: /^(?:add_user|change_password)$/, nth: 2 },
  { programs: 'composer poetry', after: /^http-basic\./, nth: 2 },
  { programs: 'poetry', after: /^pypi-token\./, nth: 1 },
  { programs: 'dotnet', after: /^user-secrets$/, nth: 3, skips: /^(?:-[pc]|--(?:project|id|configuration))$/ },
  { programs: 'nmcli', after: /^password$/, nth: 1 },
  { programs: 'cf', after: /^auth$/, nth: 2 },
  { programs: 'rclone', after: /^obscure$/, nth: 1 },
  {
    programs: 'rclone',
    after: /^config$/,
    next: /^(?:secret_access_key|pass2?|password2?|token|client_secret|key|key_file_pass|api_key|bearer_token|sas_url)$/,
  },
  { programs: 'mc', after: /^set$/, nth: 4 },
  { programs: 'bw', after: /^login$/, nth: 2, skips: /^--(?:method|code)$/ },
  { programs: 'bw', after: /^unlock$/, nth: 1 },
  { programs: 'snyk ngrok', after: /^(?:auth|authtoken|add-authtoken)$/, nth: 1 },
  { programs: 'nuget', after: /^setapikey$/i, nth: 1 },
  { programs: 'neo4j-admin', after: /^set-initial-password$/, nth: 1 },
  { programs: 'wpa_passphrase', nth: 2 },
  { programs: 'convertto-securestring', nth: 1 },
  { programs: 'htpasswd', after: /^-\w*b/, nth: 0 },
]
