import type { Database } from '../connect.ts'
import type { Tx } from '../transaction.ts'
import { anyOfTexts } from './columns.ts'

type Users = Map<string, { name: string; email: string }>

/** The users that rows name, where a join would repeat their columns in each statement. */
export const usersById = async (db: Database | Tx, ids: (string | null)[]): Promise<Users> => {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const columns = ['id', 'name', 'email'] as const
  const rows = await db.selectFrom('users').select(columns).where('id', '=', anyOfTexts(wanted)).execute()
  return new Map(rows.map(({ id, ...user }) => [id, user]))
}

export const nameOf = (users: Users, id: string | null) => (id === null ? null : (users.get(id)?.name ?? null))
