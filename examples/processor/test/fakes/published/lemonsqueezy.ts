/** Keys and types of the published samples of Lemon Squeezy (MIT). `?` is a null in the sample, `*` any object. */
export const LEMON_SQUEEZY = {
  order_created: `
    { meta:{ test_mode:b event_name:s webhook_id:s custom_data:* } data:{ type:s id:s attributes:{ store_id:n
    customer_id:n identifier:s order_number:n user_name:s user_email:s currency:s currency_rate:s setup_fee:n
    subtotal:n discount_total:n tax:n total:n subtotal_usd:n discount_total_usd:n tax_usd:n total_usd:n tax_name:s
    tax_rate:s status:s status_formatted:s refunded:? refunded_at:? subtotal_formatted:s discount_total_formatted:s
    tax_formatted:s total_formatted:s first_order_item:{ order_id:n product_id:n variant_id:n product_name:s
    variant_name:s price:n created_at:s updated_at:s test_mode:b } urls:{ receipt:s } created_at:s updated_at:s
    test_mode:b } relationships:* links:{ self:s } } }
  `,
  subscription_created: `
    { meta:{ test_mode:b event_name:s webhook_id:s custom_data:* } data:{ type:s id:s attributes:{ store_id:n
    customer_id:n order_id:n order_item_id:n product_id:n variant_id:n product_name:s variant_name:s user_name:s
    user_email:s status:s status_formatted:s card_brand:s card_last_four:s pause:? cancelled:b trial_ends_at:s
    billing_anchor:n first_subscription_item:{ id:n subscription_id:n price_id:n quantity:n created_at:s
    updated_at:s } urls:{ update_payment_method:s customer_portal:s } renews_at:s ends_at:? created_at:s
    updated_at:s test_mode:b } relationships:* links:{ self:s } } }
  `,
  subscription_payment_success: `
    { meta:{ test_mode:b event_name:s webhook_id:s custom_data:* } data:{ type:s id:s attributes:{ store_id:n
    subscription_id:n customer_id:n user_name:s user_email:s billing_reason:s card_brand:s card_last_four:s
    currency:s currency_rate:s status:s status_formatted:s refunded:b refunded_at:? subtotal:n discount_total:n
    tax:n tax_inclusive:b total:n refunded_amount:n subtotal_usd:n discount_total_usd:n tax_usd:n total_usd:n
    refunded_amount_usd:n subtotal_formatted:s discount_total_formatted:s tax_formatted:s total_formatted:s
    refunded_amount_formatted:s urls:{ invoice_url:s } created_at:s updated_at:s test_mode:b } relationships:* }
    links:{ self:s } }
  `,
}
