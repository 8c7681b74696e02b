import { expect, it } from 'vitest'
import { isQuestionOnly } from '../../src/app/orchestrate/question-detection.ts'
import { routeRequest } from '../../src/app/orchestrate/router/index.ts'

const asks = (task: string): boolean => isQuestionOnly(task, routeRequest(task))

it.each([
  'what does this project do?',
  'why is it slow?',
  'how do I add a flag?',
  'where is the config and how do I change it?',
  'can you explain how auth works',
  'review my last commit',
  "don't fix anything, just tell me why the tests fail",
  'do we already have a login page?',
  'Warum ist der Build so langsam?',
])('%s: answered in words', task => expect(asks(task)).toBe(true))

it.each([
  'do the login page',
  'do what we discussed for the billing module',
  'does the login work? if not repair it',
  'research the best logger and install it',
  'explain the parser, then refactor it',
  'Why does it crash? Please fix it.',
  "don't change the API, add a field to the form",
  'wieso geht das nicht? repariere es',
  'add a login page',
])('%s: something is to be done', task => expect(asks(task)).toBe(false))
