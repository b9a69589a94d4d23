import type { Hono } from 'hono'
import type { Actions } from '../actions.ts'
import type { Publisher } from '../publisher.ts'
import type { Store } from '../store.ts'
import type { Form } from './form.ts'

/** `account` owns the objects of the call; `form` is its body or query string. */
export type Env = { Variables: { account: string; form: Form } }
export type App = Hono<Env>
export type Dependencies = { store: Store; actions: Actions; publisher: Publisher; baseUrl: () => string }
