/** Where a program takes a secret, other than in options with a secret name. */
export interface SecretArgumentRule {
  readonly programs: string
  /** applies only after this word: `docker login -p x`, never `docker run -p 80:80` */
  readonly after?: RegExp
  /** the word after one of these is secret */
  readonly next?: RegExp
  /** the part of that word, or of the nth, that stays; if it does not match, the word is not secret */
  readonly keeps?: RegExp
  /** a word that is secret except for its first group */
  readonly within?: RegExp
  /** the nth argument after `after`, or after the program, is secret; 0: the last argument */
  readonly nth?: number
  /** options whose value does not count as an argument: `cargo login --registry r x` */
  readonly skips?: RegExp
  /** applies only if this word is anywhere in the command: `pulumi config set name x --secret` */
  readonly needs?: RegExp
}

const HTTP_CLIENTS = 'curl wget http https xh'
const REDIS_CLIENTS = 'redis-cli valkey-cli keydb-cli'
const USER_WITH_PASSWORD = /^[^\s:"'$/+]+:(?![\d/])/
/** A word that is probably a token and not a name, for options that accept both. */
const TOKEN_LIKE = /^(?=[^\s:$…]*\d)(?=[^\s:$…]{8,}$)/
const NAMED_VALUE = /^([\w.-]+=).+/

/** `-u name:x` of any program, except programs that use it for `user:group` or something else. */
export const USER_OPTION_RULE: SecretArgumentRule = {
  programs: '',
  next: /^(?:-u|--user)$/,
  keeps: USER_WITH_PASSWORD,
  within: /^((?:-u|--user=)[^\s:"'$/+]+:(?![\d/])).+/,
}
const PROGRAMS_WITHOUT_LOGIN = new Set(
  [
    'docker podman nerdctl kubectl oc lxc chown sudo doas su runuser setpriv chpst start-stop-daemon systemd-run install',
    'gunicorn uwsgi hypercorn supervisord nginx date rsync git hg svn diff patch sort uniq cp mv tar touch ls ps id lsof journalctl systemctl crontab',
  ].flatMap(names => names.split(' ')),
)
/** In `python -u server:app` the option belongs to the interpreter. Options after a script belong to the script. */
const INTERPRETER = /^(?:python|pypy|node|deno|bun|ruby|perl|php)[\d.]*$/
const SCRIPT = /\.(?:py|[cm]?[jt]s|rb|pl|php|sh)$/

/** After such a program, `-u name:x` is not a login. After a script file it can be a login again. */
export const hasNoLoginOption = (program: string): boolean =>
  PROGRAMS_WITHOUT_LOGIN.has(program) || INTERPRETER.test(program)
export const isScriptFile = (program: string): boolean => SCRIPT.test(program)

/** Options that take a value. */
const ANSIBLE_VALUE_OPTIONS = /^(?:-n|--(?:name|stdin-name|output|vault-id|encrypt-vault-id|vault-password-file))$/
const PULUMI_VALUE_OPTIONS = /^(?:-s|-C|--(?:stack|cwd|config-file|type|color))$/

/** Created on first use, because so many patterns take time to compile. */
export const createSecretArgumentRules = (): readonly SecretArgumentRule[] => [
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
  { programs: REDIS_CLIENTS, next: /^-a$/ },
  { programs: REDIS_CLIENTS, after: /^auth$/i, nth: 0 },
  { programs: REDIS_CLIENTS, after: /^hello$/i, nth: 4 },
  { programs: REDIS_CLIENTS, after: /^setuser$/i, within: /^([>#]).+/ },
  { programs: 'openssl', next: /^-(?:k|K|hmac|psk)$/, within: /^(pass:).+/ },
  { programs: 'openssl', after: /^passwd$/, nth: 1, skips: /^-(?:salt|in|rand)$/ },
  { programs: 'ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd', next: /^-w$/ },
  {
    programs:
      'mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh cypher-shell rabbitmqadmin couchbase-cli twine useradd usermod rdesktop psexec',
    next: /^-p$/,
  },
  {
    programs: 'docker podman nerdctl buildah helm oras crane skopeo cosign az oc cf',
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
  { programs: 'pulumi', after: /^set$/, nth: 2, skips: PULUMI_VALUE_OPTIONS, needs: /^--secret(?:=true)?$/ },
  { programs: 'pulumi', after: /^set-all$/, next: /^--secret$/, keeps: /^[^=]+=/, within: /^(--secret=[^=]+=).+/ },
  { programs: 'npm pnpm yarn', after: /^(?:adduser|add-user|login)$/, next: /^-p$/ },
  { programs: 'npm-cli-login npm-cli-adduser', next: /^-p$/ },
  { programs: 'vault cargo wandb', after: /^(?:login|unseal)$/, nth: 1, skips: /^--(?:registry|index|host)$/ },
  { programs: HTTP_CLIENTS, next: /^(?:-b|--cookie)$/, keeps: /^(?=[^=]*=)/, within: /^(--cookie=).+/ },
  {
    programs: HTTP_CLIENTS,
    next: /^(?:-\w{0,6}[uUa]|--(?:proxy-)?user|--auth)$/,
    keeps: USER_WITH_PASSWORD,
    within: /^(--proxy-user=[^:]+:).+/,
  },
  { programs: 'curl', next: /^(?:-E|--cert)$/, keeps: /^[^:\s]+:/ },
  // a key in place of the user, without a password
  { programs: HTTP_CLIENTS, next: /^(?:-\w{0,6}u|--user)$/, keeps: /^(?=[^\s:$…]*\d)(?=[^\s:$…]{8,}:$)/ },
  {
    programs: 'curl',
    next: /^(?:-x|--(?:pre)?proxy)$/,
    keeps: /^[^\s:@/]+:(?!\/\/)(?=[^@\s]+@)/,
    within: /^((?:-x|--(?:pre)?proxy=)[^\s:@/]+:)(?!\/\/)(?=[^@\s]+@).+/,
  },
  { programs: 'http https xh', next: /^(?:-a|--auth)$/, keeps: TOKEN_LIKE },
  {
    programs: 'skopeo buildah podman nerdctl oras crane',
    next: /^--(?:src-|dest-)?creds$/,
    keeps: /^[^\s:]+:/,
    within: /^(--(?:src-|dest-)?creds=[^\s:]+:).+/,
  },
  { programs: 'netlify ntl', next: /^--auth$/, within: /^(--auth=).+/ },
  { programs: 'netlify ntl', after: /^env:set$/, nth: 2 },
  { programs: 'supabase', after: /^(?:link|db|projects|bootstrap)$/, next: /^-p$/ },
  { programs: 'gem', next: /^(?:-k|--key)$/, keeps: /^(?=\S*\d)(?=\S{16})/ },
  { programs: 'altool', next: /^-p$/, keeps: /^(?!@(?:keychain|env):)/ },
  { programs: 'composer', after: /^(?:github-oauth|gitlab-oauth|gitlab-token|bearer)\./, nth: 1 },
  { programs: 'composer', after: /^bitbucket-oauth\./, nth: 2 },
  { programs: 'az', after: /^secret$/, next: /^--value$/, within: /^(--value=).+/ },
  { programs: 'glab', after: /^variable$/, nth: 3 },
  { programs: 'bundle', after: /^[\w-]+(?:\.[\w-]+)+$/, nth: 1 },
  { programs: 'sops', next: /^--set$/, keeps: /^[^\n]*\]\s*/ },
  { programs: 'sops', after: /^set$/, nth: 3 },
  { programs: 'consul', after: /^put$/, nth: 2 },
  { programs: 'smbclient', nth: 2, skips: /^-[A-Za-z]$/ },
  { programs: 'wpa_cli', next: /^(?:psk|password)$/ },
  { programs: 'ab hey', next: /^-[aAP]$/, keeps: USER_WITH_PASSWORD },
  { programs: 'kaggle', after: /^config$/, next: /^-v$/ },
  { programs: 'llm', after: /^keys$/, next: /^--value$/ },
  { programs: 'drush', after: /^(?:upwd|user[:-]password)$/, nth: 2 },
  { programs: 'rancher', after: /^login$/, next: /^-t$/ },
  { programs: 'influx', next: /^-t$/ },
  { programs: 'railway', next: /^--set$/, keeps: /^[\w.-]+=/, within: /^(--set=[\w.-]+=).+/ },
  { programs: 'eas', after: /^(?:secret|env):create$/, next: /^--value$/, within: /^(--value=).+/ },
  { programs: 'firebase', after: /^functions:config:set$/, within: NAMED_VALUE },
  { programs: 'eb', after: /^setenv$/, within: NAMED_VALUE },
  { programs: 'travis', after: /^encrypt$/, within: NAMED_VALUE },
  { programs: 'cf', after: /^set-env$/, nth: 3 },
  { programs: 'pm2', after: /^link$/, nth: 1 },
  { programs: 'cloudflared', after: /^install$/, nth: 1 },
  { programs: 'bw', next: /^--session$/, within: /^(--session=).+/ },
  { programs: 'ldappasswd', next: /^-[as]$/ },
  { programs: 'slappasswd', next: /^-s$/ },
  { programs: 'hdbsql', next: /^-p$/ },
  { programs: 'db2', next: /^using$/i },
  { programs: 'pdftk', next: /^(?:input|user|owner)_pw$/ },
  { programs: 'signtool', next: /^\/p$/ },
  { programs: 'cmdkey', within: /^(\/pass:).+/i },
  { programs: 'net', after: /^user$/, nth: 2, keeps: /^(?!\/)/ },
  { programs: 'dscl', after: /^-passwd$/, nth: 2 },
  { programs: 'networksetup', after: /^-setairportnetwork$/, nth: 3 },
  { programs: 'caddy', after: /^hash-password$/, next: /^(?:-p|--plaintext)$/, within: /^(--plaintext=).+/ },
  { programs: 'mkpasswd', nth: 1, skips: /^(?:-[mSRP]|--(?:method|salt|rounds|password-fd))$/ },
  { programs: 'doveadm', after: /^pw$/, next: /^-p$/ },
  { programs: 'smbclient rpcclient', within: /^([^%\s]+%).+/ },
  { programs: 'lftp', within: /^([^,\s/]+,).+/ },
  { programs: 'ansible-vault', after: /^encrypt_string$/, nth: 1, skips: ANSIBLE_VALUE_OPTIONS },
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
