; The streets of a city, some of them one-way; every link costs 1.
(define (domain city)
  (:requirements :strips :typing :action-costs)
  (:types junction)
  (:predicates
    (at ?j - junction)
    (link ?j ?k - junction))
  (:functions (total-cost) - number)

  (:action drive
    :parameters (?from ?to - junction)
    :precondition (and (at ?from) (link ?from ?to))
    :effect (and (not (at ?from)) (at ?to) (increase (total-cost) 1))))
