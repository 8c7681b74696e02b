import type { ReadOnlyCommands } from '../read-only-spec.ts'

/** Read-only commands of Terraform and OpenTofu. */
export const TERRAFORM_COMMANDS: ReadOnlyCommands = {
  alone: '-version --version -v',
  values: '-chdir',
  asks: [
    {
      verbs: 'version|show|output|graph, validate, providers schema, state list|show|pull, workspace show|list',
      options: '-json -no-color -raw -type -draw-cycles -state -id -no-tests -test-directory',
    },
    { verbs: 'providers', words: 'none' },
    // `-out` and `-generate-config-out` write a file
    {
      verbs: 'plan',
      options:
        '-no-color -input -lock -lock-timeout -refresh -refresh-only -detailed-exitcode -var -var-file -target -exclude -replace -parallelism -compact-warnings -json -destroy -concise -state',
    },
    // without `-check` it writes the files
    { verbs: 'fmt -check', options: '-diff -recursive -list -no-color' },
    {
      verbs: 'fmt -diff -check, fmt -recursive -check, fmt -no-color -check',
      options: '-diff -recursive -list -no-color',
    },
  ],
}
