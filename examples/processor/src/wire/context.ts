import type { Hono } from 'hono'
import type { Actions } from '../actions.ts'
import type { Books } from '../books.ts'
import type { Tell } from '../tell.ts'
import type { Form } from './form.ts'

/** `account` is whose objects a call is about; `form` is its body or its query. */
export type Env = { Variables: { account: string; form: Form } }
export type App = Hono<Env>
export type Dependencies = { books: Books; actions: Actions; tell: Tell; baseUrl: () => string }
