import type { PortalSale } from '@tributary/contract'
import { formatMoney, formatTime } from '~/components/format/format.ts'
import { Drawer } from '~/components/overlays/dialog.tsx'
import { EarningDetail } from './earning-panel.tsx'

type Props = { sale: PortalSale | null; onClose: () => void }

/** What one sale earned and how it was credited, or why it paid nothing. */
export const SalePanel = ({ sale, onClose }: Props) => (
  <Drawer
    open={sale !== null}
    onOpenChange={(open) => !open && onClose()}
    title={sale?.earning ? `Commission ${sale.earning.id} on this sale` : 'No commission on this sale'}
  >
    {sale?.earning && <EarningDetail earning={sale.earning} />}
    {sale && !sale.earning && (
      <div className="flex flex-col gap-2 text-sm">
        <p className="text-soft">
          Sale of {formatMoney(sale.amountCents, sale.currency)}, {formatTime(sale.soldAt)}
        </p>
        <p className="text-pretty">{sale.noEarningReason ?? 'This sale paid no commission.'}</p>
      </div>
    )}
  </Drawer>
)
