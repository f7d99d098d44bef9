; A square of cells; every move to a neighbour costs 1.
(define (domain grid)
  (:requirements :strips :typing :action-costs)
  (:types cell)
  (:predicates
    (at ?c - cell)
    (beside ?c ?d - cell))
  (:functions (total-cost) - number)

  (:action move
    :parameters (?from ?to - cell)
    :precondition (and (at ?from) (beside ?from ?to))
    :effect (and (not (at ?from)) (at ?to) (increase (total-cost) 1))))
