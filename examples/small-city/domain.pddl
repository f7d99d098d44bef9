; Driving from junction to junction: one action for each street driven.
(define (domain small-city)
  (:requirements :strips :typing)
  (:types junction)
  (:predicates
    (at ?j - junction)
    (street ?from ?to - junction))

  (:action drive
    :parameters (?from ?to - junction)
    :precondition (and (at ?from) (street ?from ?to))
    :effect (and (not (at ?from)) (at ?to))))
