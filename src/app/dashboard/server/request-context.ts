import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { QueryParameters } from './query.ts'

type Env = { readonly Bindings: HttpBindings }
export type DashboardApp = Hono<Env>
export type DashboardContext = Context<Env>

export const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }

export const sendJson = (context: DashboardContext, value: unknown): Response =>
  context.body(JSON.stringify(value), 200, JSON_HEADERS)

export const queryOf = (context: DashboardContext): QueryParameters =>
  new QueryParameters(new URL(context.req.url).searchParams)
