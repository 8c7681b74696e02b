import { stringify } from 'yaml'
import { SourceMap } from '../parse/source-map.ts'
import { validateDocument } from '../parse/validate.ts'
import { readYamlMapping } from '../parse/yaml-source.ts'
import type { GateDoc } from '../schema/gate.ts'
import { policySchema } from '../schema/policy.ts'
import { expandShortForms } from './index.ts'

/** The gates that the short forms of a policy stand for, by name. Empty if there are none, or if the policy is broken. */
export function gatesOfShortForms(text: string, file: string): Readonly<Record<string, GateDoc>> {
  const places = new SourceMap()
  const { root } = readYamlMapping(text, file, places)
  const doc = root && validateDocument(policySchema, root, { file, places, what: 'the policy' }).value
  if (!doc) return {}
  const { gates: _, ...forms } = doc
  return expandShortForms(forms, { places, problems: [], warnings: [], file }) ?? {}
}

/** Gates as a part of a policy, to paste in place of short forms. */
export const gatesAsYaml = (gates: Readonly<Record<string, GateDoc>>): string =>
  stringify({ gates }, { lineWidth: 100, aliasDuplicateObjects: false })
