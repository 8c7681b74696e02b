import type { Arg } from '../../calls/argument.ts'
import { readOptions } from './option-values.ts'

/** Functions of PostgreSQL and MySQL that only compute or look something up. Others may write a file, stop a server or wait. */
const READING_FUNCTIONS = new Set(
  'count sum min max avg now version coalesce length char_length lower upper trim ltrim rtrim substr substring replace concat concat_ws round floor ceil ceiling abs mod power sqrt date_trunc date_part extract date time timestamp age to_char to_date to_timestamp to_number current_database current_schema current_schemas current_setting current_user session_user database schema user nullif greatest least row_number rank dense_rank lag lead first_value last_value ntile string_agg array_agg json_agg jsonb_agg json_build_object jsonb_build_object row_to_json to_json to_jsonb group_concat ifnull if isnull md5 encode left right lpad rpad position strpos split_part unnest array_length cardinality generate_series pg_size_pretty pg_database_size pg_total_relation_size pg_relation_size pg_table_size pg_indexes_size pg_column_size pg_get_viewdef pg_get_indexdef pg_get_constraintdef pg_get_functiondef pg_postmaster_start_time pg_is_in_recovery pg_backend_pid pg_encoding_to_char obj_description col_description format_type to_regclass inet_server_addr inet_server_port has_table_privilege has_database_privilege has_schema_privilege curdate curtime utc_timestamp unix_timestamp from_unixtime year month day hour minute second datediff date_format date_add date_sub cast convert char hex unhex field find_in_set json_extract json_unquote last_day'.split(
    ' ',
  ),
)
/** Words before a parenthesis that call no function. */
const WORDS = new Set(
  'in and or not exists any all some from where on using select values as over filter join then when else case by having limit offset between like ilike union intersect except distinct within group order partition is interval varchar numeric decimal'.split(
    ' ',
  ),
)
/** Words that make a `SELECT` write, lock or run something. */
const WRITING_WORD =
  /\b(?:into|update|delete|insert|merge|share|lock|outfile|dumpfile|call|do|execute|perform|copy|procedure|analyze|analyse|returning|set|drop|alter|create|truncate|grant|revoke)\b/i

/** Only such characters, so that no operator of the user's own, no comment and no other quoting is in it. */
const PLAIN_SQL = /^[\w\s.,()=<>!+*/%:|[\]~-]*$/

/** One statement that certainly only reads: a plain `SELECT`, `SHOW`, `EXPLAIN` or `DESCRIBE`. */
function isReadingStatement(text: string): boolean {
  const statement = text.trim().replace(/;$/, '')
  // names and texts in quotes: a `\` may end them elsewhere
  if (statement.length > 2000 || statement.includes('\\')) return false
  const plain = statement.replace(/'[^']*'/g, ' 0 ').replace(/"[\w ]*"/g, ' quoted ')
  if (!PLAIN_SQL.test(plain) || /--|\/\*|:=|\|\|\/|!!/.test(plain)) return false
  if (WRITING_WORD.test(plain)) return false
  if (!/^(?:explain\s+(?:select|with\s)?|select\b|show\s|values\s*\(|describe\s|desc\s|table\s+\w+$)/i.test(plain))
    return false
  return [...plain.matchAll(/([\w.]+)\s*\(/g)].every(([, name = '']) => isReadingFunction(name.toLowerCase()))
}

const isReadingFunction = (name: string): boolean =>
  WORDS.has(name) || READING_FUNCTIONS.has(name.replace(/^pg_catalog\./, '')) || /^\d+$/.test(name)

/** `\dt+ public.*`, `\l`, `\conninfo`: a backtick would run a program. */
const DESCRIBING = /^\s*\\(?:l|list|d[A-Za-z]*|conninfo|z|encoding)[S+]*(?:\s+[\w.*?]+)?\s*$/

const isPsqlText = (text: string): boolean => DESCRIBING.test(text) || isReadingStatement(text)
const isMysqlText = (text: string): boolean =>
  text
    .replace(/\\G\s*$/, '')
    .split(';')
    .every((statement, at, all) => (statement.trim() === '' && at === all.length - 1) || isReadingStatement(statement))

const isPlain = (value: string): boolean => /^[\w./:@%-]+$/.test(value)
const DATABASE = /^(?:[\w.-]+|(?:postgres(?:ql)?|mysql):\/\/[\w.:@/%-]+(?:\?sslmode=[\w-]+)?)$/

/** `psql -c 'select 1'`, `psql -l`. */
export function isPsqlQuery(words: readonly Arg[]): boolean {
  const values = {
    ...valuesOf('-d --dbname -h --host -p --port -U --username -F --field-separator', isPlain),
    ...valuesOf('-c --command', isPsqlText),
  }
  const flags =
    '-t -A -x -q -X -w -l -1 --tuples-only --no-align --expanded --quiet --no-psqlrc --no-password --csv --list --html -H'
  const databases = readOptions(words, { flags, values })
  const isAsked = words.some(({ text }) => /^-(?:\w*[cl]|-command|-list)/.test(text ?? ''))
  return databases !== undefined && isAsked && databases.length <= 2 && databases.every(one => DATABASE.test(one))
}

/** `mysql -e 'show tables' shop`. */
export function isMysqlQuery(words: readonly Arg[]): boolean {
  const values = {
    ...valuesOf('-h --host -P --port -u --user -D --database --protocol', isPlain),
    ...valuesOf('-e --execute', isMysqlText),
  }
  const flags = '-N -B -s -t -E -r -H --batch --silent --table --vertical --raw --skip-column-names --no-auto-rehash -A'
  const databases = readOptions(words, { flags, values })
  const isAsked = words.some(({ text }) => /^-(?:\w*e|-execute)/.test(text ?? ''))
  return databases !== undefined && isAsked && databases.length <= 1 && databases.every(one => DATABASE.test(one))
}

const valuesOf = (names: string, isHarmless: (value: string) => boolean) =>
  Object.fromEntries(names.split(' ').map(name => [name, isHarmless]))
