import type { WebhookEndpoint } from '@tributary/contract'
import { Ban, CirclePlay, KeyRound, ListFilter, Pencil, Send, Trash2 } from 'lucide-react'
import { useListSearch } from '~/app/list-search.ts'
import { MenuItem, MenuSeparator, RowMenu } from '~/components/overlays/menu.tsx'
import type { DeliveriesSearch } from './deliveries/deliveries.tsx'

export type EndpointAction = 'edit' | 'test' | 'rotate' | 'toggle' | 'delete'

type Props = { endpoint: WebhookEndpoint; onChoose: (action: EndpointAction) => void }

export const EndpointMenu = ({ endpoint: { id, url, enabled }, onChoose }: Props) => {
  const { setFilter } = useListSearch<DeliveriesSearch>()
  return (
    <RowMenu label={`Actions for ${url}`}>
      <MenuItem onSelect={() => onChoose('edit')}>
        <Pencil aria-hidden /> Edit
      </MenuItem>
      <MenuItem disabled={!enabled} onSelect={() => onChoose('test')}>
        <Send aria-hidden /> Send test event{!enabled && ' (endpoint is disabled)'}
      </MenuItem>
      <MenuItem onSelect={() => setFilter({ endpointId: String(id), state: undefined, type: undefined })}>
        <ListFilter aria-hidden /> View deliveries
      </MenuItem>
      <MenuItem onSelect={() => onChoose('rotate')}>
        <KeyRound aria-hidden /> Rotate secret
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => onChoose('toggle')}>
        {enabled ? <Ban aria-hidden /> : <CirclePlay aria-hidden />} {enabled ? 'Disable' : 'Enable'}
      </MenuItem>
      <MenuItem danger onSelect={() => onChoose('delete')}>
        <Trash2 aria-hidden /> Delete
      </MenuItem>
    </RowMenu>
  )
}
