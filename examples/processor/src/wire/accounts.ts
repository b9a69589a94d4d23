import { accountOf } from '../objects/account.ts'
import { ProcessorError } from '../processor-error.ts'
import type { App, Dependencies } from './context.ts'

export const accounts = (app: App, { store }: Dependencies) => {
  /** The caller's account or, with a platform key, a connected one. */
  const show = (caller: string, id: string) => {
    const account = store.accounts.get(id)
    if (!account || (id !== caller && !account.connectedTo.has(store.clientId)))
      throw new ProcessorError(
        403,
        `The provided key does not have access to account '${id}' (or that account does not exist).`,
        {
          code: 'account_invalid',
        },
      )
    return accountOf(store.generation, account)
  }
  app.get('/v1/account', (c) => c.json(show(c.get('account'), c.get('account'))))
  app.get('/v1/accounts/:id', (c) => c.json(show(c.get('account'), c.req.param('id'))))
}
