; Orders wait for products; only opening a new stack costs anything.
(define (domain openstacks)
  (:requirements :strips :typing :action-costs)
  (:types order product amount)
  (:constants
    {orders} - order
    {products} - product)
  (:predicates
    (waiting ?o - order)
    (started ?o - order)
    (shipped ?o - order)
    (to-make ?p - product)
    (made ?p - product)
    (free-stacks ?n - amount)
    (one-more ?n ?m - amount))
  (:functions (total-cost) - number)

  (:action open-stack
    :parameters (?before ?after - amount)
    :precondition (and (free-stacks ?before) (one-more ?before ?after))
    :effect (and (not (free-stacks ?before)) (free-stacks ?after)
                 (increase (total-cost) 1)))

  (:action start-order
    :parameters (?o - order ?before ?after - amount)
    :precondition (and (waiting ?o) (free-stacks ?before) (one-more ?after ?before))
    :effect (and (not (waiting ?o)) (started ?o)
                 (not (free-stacks ?before)) (free-stacks ?after)))
{actions})
