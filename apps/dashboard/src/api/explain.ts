import { useQuery } from '@tanstack/react-query'
import type { Explanation } from '@tributary/contract'
import { api, type Query } from './client.ts'

type Result = { data: Explanation }

export const useExplanation = (programId: number, target: { kind: 'sales' | 'leads'; id: string }) =>
  useQuery({
    queryKey: ['explain', programId, target],
    queryFn: async () => {
      const path = `/api/programs/${programId}/${target.kind}/${encodeURIComponent(target.id)}/explain`
      return (await api.get<Result>(path)).data
    },
  })

/** Most specific first: the same text can be both an invoice ID and a customer key. */
const NAMES = ['invoice_id', 'customer_key', 'click_id'] as const

/** Looks the name up as each kind and returns the kinds that were received, or all of them if none was. */
export const useWhy = (programId: number, name: string) =>
  useQuery({
    queryKey: ['explain', programId, 'why', name],
    queryFn: async () => {
      const explain = async (query: Query) => (await api.get<Result>(`/api/programs/${programId}/explain`, query)).data
      const explanations = await Promise.all(NAMES.map((kind) => explain({ [kind]: name })))
      const received = explanations.filter(({ outcome }) => outcome !== 'not_received')
      return received.length > 0 ? received : explanations
    },
    enabled: name !== '',
  })
