import type { ProgramCall, ProgramDescription } from '../calls/program-call.ts'
import { GRADLE_FLAGS, MAVEN_FLAGS } from './check-programs.ts'
import { mayBeOutsideFolder } from './developer-tools.ts'
import { optionsOf } from './rare-programs/index.ts'

/** Options that name an output file, or a path that provides no code. */
const HARMLESS_OPTIONS =
  /^-*(out|state-out|backup|console|o|output|coverage|junit-path|reporter-outfile|outfile|outdir)$/

/** `mvn -f /tmp/x`, `gradle -I /tmp/x.gradle`, `deno test --config=/tmp/x`: the build or its input comes from outside the project. */
function readBuild(call: ProgramCall): void {
  if (
    call.line.options.some(
      ({ name, value }) => value !== undefined && !HARMLESS_OPTIONS.test(name) && mayBeOutsideFolder(value),
    )
  )
    call.altered = true
}

/** JVM agents, JVM hooks that run commands, and files with more options. */
const JVM_CODE_OPTIONS = /^(-(javaagent|agentpath|agentlib|Xbootclasspath|Xrun|XX:(On|Flags|VMOptionsFile))|@)/

const maven: ProgramDescription = {
  oneDash: true,
  flags: `${MAVEN_FLAGS} -O -v -h -N -C -c -am -amd -fn --version --help --non-recursive --also-make --fail-never`,
  values:
    '-f -s -gs -t -gt -T -P -pl -rf -l -b --file --settings --global-settings --toolchains --threads --activate-profiles --projects --resume-from --log-file --builder --color',
  special: readBuild,
}

const gradle: ProgramDescription = {
  flags: `${GRADLE_FLAGS} -m -t -a -h -v -? --dry-run --continuous`,
  values:
    '-p -b -c -I -g -x -P -D --project-dir --build-file --settings-file --init-script --gradle-user-home --exclude-task --include-build --project-cache-dir --console --warning-mode --max-workers --tests',
  special: readBuild,
}

/** Build and deployment programs controlled by files. Describes only the options that make them run other code, not their effects. */
export const BUILD_PROGRAMS: Readonly<Record<string, ProgramDescription>> = {
  mvn: maven,
  mvnw: maven,
  gradle,
  gradlew: gradle,
  terraform: {
    oneDash: true,
    get flags() {
      return optionsOf('terraform flags')
    },
    get values() {
      return optionsOf('terraform values')
    },
    special: readBuild,
  },
  java: {
    special: call => {
      if (call.args.some(({ head, text }) => text === null || JVM_CODE_OPTIONS.test(head))) call.altered = true
    },
  },
}
