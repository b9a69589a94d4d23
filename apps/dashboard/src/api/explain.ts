import { useQuery } from '@tanstack/react-query'
import type { Explanation } from '@tributary/contract'
import { api, type Query } from './client.ts'

type Answer = { data: Explanation }

export const useExplanation = (programId: number, of: { kind: 'sales' | 'leads'; id: string }) =>
  useQuery({
    queryKey: ['explain', programId, of],
    queryFn: async () => {
      const path = `/api/programs/${programId}/${of.kind}/${encodeURIComponent(of.id)}/explain`
      return (await api.get<Answer>(path)).data
    },
  })

/** In the order in which an answer is believed: a name can be an invoice and a customer at once. */
const NAMES = ['invoice_id', 'customer_key', 'click_id'] as const

/** Nobody has to know what kind of name they hold: it is asked for as each, and what was received is answered first. */
export const useWhy = (programId: number, name: string) =>
  useQuery({
    queryKey: ['explain', programId, 'why', name],
    queryFn: async () => {
      const ask = async (query: Query) => (await api.get<Answer>(`/api/programs/${programId}/explain`, query)).data
      const answers = await Promise.all(NAMES.map((kind) => ask({ [kind]: name })))
      const received = answers.filter(({ outcome }) => outcome !== 'not_received')
      return received.length > 0 ? received : answers
    },
    enabled: name !== '',
  })
