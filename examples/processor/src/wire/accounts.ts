import { accountOf } from '../objects/account.ts'
import { ProcessorError } from '../processor-error.ts'
import type { App, Dependencies } from './context.ts'

export const accounts = (app: App, { books }: Dependencies) => {
  /** One's own account, or with a platform's key one that is connected to it. */
  const show = (caller: string, id: string) => {
    const account = books.accounts.get(id)
    if (!account || (id !== caller && !account.connectedTo.has(books.clientId)))
      throw new ProcessorError(
        403,
        `The provided key does not have access to account '${id}' (or that account does not exist).`,
        {
          code: 'account_invalid',
        },
      )
    return accountOf(books.generation, account)
  }
  app.get('/v1/account', (c) => c.json(show(c.get('account'), c.get('account'))))
  app.get('/v1/accounts/:id', (c) => c.json(show(c.get('account'), c.req.param('id'))))
}
