/** Keys and types of the notification samples in Paddle's Node SDK (Apache-2.0). `?` is a null in the sample. */
export const PADDLE = {
  'transaction.completed': `
    { event_id:s event_type:s occurred_at:s notification_id:s data:{ id:s items:[{ price:{ id:s status:s quantity:{
    maximum:n minimum:n } tax_mode:s product_id:s unit_price:{ amount:s currency_code:s } description:s name:s
    trial_period:? billing_cycle:{ interval:s frequency:n } unit_price_overrides:[{ unit_price:{ amount:s
    currency_code:s } country_codes:[s] }] custom_data:* type:s } quantity:n }] origin:s status:s details:{ totals:{
    fee:s tax:s total:s credit:s credit_to_balance:s balance:s discount:s earnings:s subtotal:s grand_total:s
    grand_total_tax:s currency_code:s } line_items:[{ id:s totals:{ tax:s total:s discount:s subtotal:s } product:{
    id:s name:s status:s image_url:s description:s tax_category:s type:s custom_data:* created_at:s } price_id:s
    quantity:n tax_rate:s unit_totals:{ tax:s total:s discount:s subtotal:s } }] payout_totals:{ fee:s tax:s total:s
    credit:s credit_to_balance:s balance:s discount:s earnings:s subtotal:s grand_total:s grand_total_tax:s
    currency_code:s exchange_rate:s fee_rate:s } tax_rates_used:[{ totals:{ tax:s total:s discount:s subtotal:s }
    tax_rate:s }] adjusted_totals:{ fee:s tax:s total:s earnings:s subtotal:s grand_total:s grand_total_tax:s
    currency_code:s retained_fee:s } adjusted_payout_totals:{ fee:s tax:s total:s earnings:s subtotal:s
    currency_code:s chargeback_fee:{ amount:s original:? } exchange_rate:s retained_fee:s } } checkout:{ url:s }
    payments:[{ amount:s status:s created_at:s error_code:s captured_at:s method_details:{ card:{ type:s last4:s
    expiry_year:n expiry_month:n cardholder_name:s } paypal:? south_korea_local_card:? type:s underlying_details:? }
    payment_attempt_id:s stored_payment_method_id:s }] billed_at:s address_id:s created_at:s invoice_id:?
    updated_at:s business_id:? custom_data:* customer_id:s discount_id:? currency_code:s billing_period:?
    invoice_number:? billing_details:? collection_mode:s subscription_id:? } }
  `,
  'adjustment.created': `
    { event_id:s event_type:s occurred_at:s notification_id:s data:{ id:s items:[{ id:s type:s amount:s totals:{
    tax:s total:s subtotal:s } item_id:s proration:? }] action:s type:s reason:s status:s totals:{ fee:s tax:s
    total:s earnings:s subtotal:s currency_code:s retained_fee:s } created_at:s updated_at:s customer_id:s
    currency_code:s payout_totals:{ fee:s tax:s total:s earnings:s subtotal:s currency_code:s retained_fee:s }
    transaction_id:s subscription_id:s credit_applied_to_balance:b } }
  `,
  'subscription.created': `
    { event_id:s event_type:s occurred_at:s notification_id:s data:{ id:s items:[{ price:{ id:s tax_mode:s
    product_id:s unit_price:{ amount:s currency_code:s } description:s trial_period:? billing_cycle:{ interval:s
    frequency:n } } product:{ id:s name:s status:s image_url:s description:s tax_category:s type:s custom_data:*
    created_at:s } status:s quantity:n recurring:b created_at:s updated_at:s trial_dates:? next_billed_at:s
    previously_billed_at:s }] status:s paused_at:? address_id:s created_at:s started_at:s updated_at:s business_id:s
    canceled_at:? discount:? custom_data:* customer_id:s billing_cycle:{ interval:s frequency:n } currency_code:s
    next_billed_at:s transaction_id:s billing_details:? collection_mode:s first_billed_at:s scheduled_change:?
    current_billing_period:{ ends_at:s starts_at:s } } }
  `,
  'subscription.canceled': `
    { event_id:s event_type:s occurred_at:s notification_id:s data:{ id:s items:[{ price:{ id:s tax_mode:s
    product_id:s unit_price:{ amount:s currency_code:s } description:s trial_period:? billing_cycle:{ interval:s
    frequency:n } } product:{ id:s name:s status:s image_url:s description:s tax_category:s type:s custom_data:*
    created_at:s } status:s quantity:n recurring:b created_at:s updated_at:s next_billed_at:? previously_billed_at:s
    trial_dates:? }] status:s paused_at:? address_id:s created_at:s started_at:s updated_at:s business_id:s
    canceled_at:s discount:? custom_data:* customer_id:s billing_cycle:{ interval:s frequency:n } currency_code:s
    next_billed_at:? billing_details:? collection_mode:s first_billed_at:s scheduled_change:?
    current_billing_period:? } }
  `,
  'discount.created': `
    { event_id:s event_type:s occurred_at:s notification_id:s data:{ id:s status:s description:s
    enabled_for_checkout:b code:s type:s mode:s amount:s currency_code:s recur:b times_used:n
    maximum_recurring_intervals:? usage_limit:n restrict_to:[s] custom_data:* import_meta:? expires_at:s
    created_at:s updated_at:s discount_group_id:? } }
  `,
}
